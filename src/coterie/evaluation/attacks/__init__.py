"""Attacks that are carried out: singling out, linkability and inference, one file each.

The three questions of the European data protection authorities (Article 29 Working Party, Opinion
05/2014 on anonymisation techniques, WP 216), answered as Giomi, Boenisch, Wehmeyer, Tasnadi (2023),
"A unified framework for quantifying privacy risk in synthetic data", PoPETs 2023(2):312-328, answer
them: an attack is tried on records of the original, the same attack on records that were not
released (the control), and what it does better on the former is the risk.
"""
