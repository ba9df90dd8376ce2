"""How kernels become machine code: what is compiled is heard of, kept, found again; and Ctrl-C."""
