"""A Dask cluster as the executor: the same results as alone."""

import pytest

import refclass

distributed = pytest.importorskip("distributed")

X = [[i % 5 - 1.5, i * i % 7 + 0.25] for i in range(45)]
TWO = [int(a + b > 3) for a, b in X]
THREE = [min(2, int(a + b) // 3) for a, b in X]
MACHINE = refclass.SVC(C=2, kernel={"name": "gaussian", "gamma": 0.5})


@pytest.fixture(scope="module")
def executor():
    """Return the executor of a cluster of two processes."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_results_of_one_process(executor):
    """Cross-validation, a grid, machines of many classes, leave-one-out."""
    alone, found = (refclass.cross_validate(MACHINE, X, TWO, folds=5, executor=e) for e in (None, executor))
    assert found.folds == alone.folds
    one, other = (
        refclass.GridSearch(estimator=MACHINE, grid={"C": [1, 10], "kernel.gamma": [0.1, 1]}, folds=3).fit(
            X, TWO, executor=e
        )
        for e in (None, executor)
    )
    assert one.best_params_ == other.best_params_ and one.cells_ == other.cells_
    for multiclass in ("ovo", "ovr"):
        one, other = (refclass.SVC(multiclass=multiclass).fit(X, THREE, executor=e) for e in (None, executor))
        assert one.alpha_ == other.alpha_ and one.intercept_ == other.intercept_
    left = [refclass.leave_one_out(MACHINE, X[:12], TWO[:12], method="predict", executor=e) for e in (None, executor)]
    assert left[0] == left[1]
