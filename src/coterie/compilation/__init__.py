"""How kernels become machine code: what is compiled is heard of, kept, and found again."""
