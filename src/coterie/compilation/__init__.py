"""How kernels become machine code: what is compiled is heard of and kept; Ctrl-C meanwhile."""
