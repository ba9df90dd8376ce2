"""Recoding: what is done to columns before anything else: merging, cutting, bands, top codes.

A stage of the plan before the space. Loss and truth are always those of what is released beside the
table as it was, so what a recoding gave up is counted too.
"""
