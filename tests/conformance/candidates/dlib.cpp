// dlib as a candidate: reads "method kernel gamma C epsilon n p", then n rows "y x1 … xp"; writes n coefficients and b.
//     g++ -O1 -o dlib_candidate dlib.cpp -ldlib -llapack -lblas (libdlib-dev, liblapack-dev)
#include <dlib/svm.h>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

typedef dlib::matrix<double, 0, 1> column;

template <typename F> void write(const F& f, const std::vector<column>& x, const std::vector<double>& y, bool classes) {
    std::vector<double> a(x.size(), 0.0);
    for (long k = 0; k < f.basis_vectors.size(); ++k)  // a basis vector is the first row of its values without one
        for (size_t i = 0; i < x.size(); ++i)
            if (a[i] == 0.0 && x[i] == f.basis_vectors(k) && !(classes && y[i] * f.alpha(k) < 0)) { a[i] = f.alpha(k); break; }
    for (double v : a) printf("%.17g ", v);
    printf("%.17g\n", -f.b);
    fflush(stdout);
}

template <typename K> void answer(const std::string& method, const K& k, double C, double e, double tol,
                                  const std::vector<column>& x, const std::vector<double>& y) {
    if (method == "svc") {
        dlib::svm_c_trainer<K> t(k, C);
        t.set_epsilon(tol);
        write(t.train(x, y), x, y, true);
    } else if (method == "svr") {
        dlib::svr_trainer<K> t;
        t.set_kernel(k); t.set_c(C); t.set_epsilon_insensitivity(e); t.set_epsilon(tol);
        write(t.train(x, y), x, y, false);
    }
}

int main(int argc, char** argv) {
    double tol = argc > 1 ? atof(argv[1]) : 1e-3;
    std::string method, kernel;
    double gamma, C, e;
    long n, p;
    while (std::cin >> method >> kernel >> gamma >> C >> e >> n >> p) {
        std::vector<column> x(n, column(p));
        std::vector<double> y(n);
        for (long i = 0; i < n; ++i) {
            std::cin >> y[i];
            for (long j = 0; j < p; ++j) std::cin >> x[i](j);
        }
        try {
            if (kernel == "linear") answer(method, dlib::linear_kernel<column>(), C, e, tol, x, y);
            else answer(method, dlib::radial_basis_kernel<column>(gamma), C, e, tol, x, y);
        } catch (const std::exception& error) {
            printf("refused %.60s\n", error.what());
            fflush(stdout);
        }
    }
}
