"""Tests of `refclass.sklearn`, where scikit-learn is installed."""
