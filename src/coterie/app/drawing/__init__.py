"""Pictures of the pages as SVG without styles of its own: classes name colors, the page has them.

The policy of the pages forbids styles inside of them, so that matplotlib's pictures cannot be used;
these are made of attributes alone.
"""
