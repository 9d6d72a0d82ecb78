"""The strategies that `SVC` and `KernelClassifier` hold: one machine or several, and each way to minimise a loss.

Reading order:
    binary_machine | penalised_points | several_machines
    loss_of_two_classes | machine_methods | multinomial_deviance | stochastic_loss
"""
