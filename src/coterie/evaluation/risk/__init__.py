"""How risky a release is: one file an attack."""
