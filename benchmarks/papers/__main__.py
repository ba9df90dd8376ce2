"""Every printed table of the publications, theirs beside ours, in parts that are kept.

    make bench-papers                                  all parts that are not kept yet
    make bench-papers ARGS="--list"                    what there is, and what is kept
    make bench-papers ARGS="--quick"                   fewer tables, runs and restarts
    make bench-papers ARGS="--parts vldb2006-5 --again"  parts by the beginning of their names
    make bench-papers ARGS="--most 20"                 as many runs as they made, but 20 at most

A part that is done is kept in benchmarks/papers/results and not run again, unless it was kept with
less effort than is asked for now. After each one docs/measured/papers.md is made anew.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.papers import page
from benchmarks.papers.parts import parts
from benchmarks.papers.store import Part, Result


def wanted(part: Part, given: argparse.Namespace) -> bool:
    """Whether a part is to be run: asked for, and not kept with the effort asked for."""
    if given.parts and not any(part.name.startswith(name) for name in given.parts):
        return False
    kept = Result.kept(part.name)
    less = given.quick or given.most is not None or given.iterations != 5000
    return kept is None or given.again or (not less and kept.effort != part.effort)


def main(arguments: list[str]) -> None:
    """Run what is missing, keep it, write the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", nargs="+", metavar="NAME", help="beginnings of names")
    parser.add_argument("--quick", action="store_true", help="less effort; says so on the page")
    parser.add_argument("--most", type=int, help="runs, starts or tables at most")
    parser.add_argument("--iterations", type=int, default=5000, help="of a run of ILSM")
    parser.add_argument("--again", action="store_true", help="also what is kept")
    parser.add_argument("--list", action="store_true", help="only list the parts")
    parser.add_argument("--page", action="store_true", help="only make the page")
    given = parser.parse_args(arguments)
    known = parts(given.quick, given.most, given.iterations)
    for name in given.parts or ():
        if not any(part.name.startswith(name) for part in known):
            parser.error(f"no part begins with {name!r}; --list has them")
    if given.list:
        for part in known:
            kept = Result.kept(part.name)
            told = "not kept" if kept is None else f"kept, {kept.seconds:.1f} s, {kept.effort}"
            print(f"{part.name:<28} {part.answers:>3} figures  {told.rstrip(', ')}")
        return
    if not given.page:
        for part in known:
            if wanted(part, given):
                print(f"{part.name} ...", end=" ", flush=True)
                result = Result.of(part)
                result.keep()
                print(f"{result.seconds:.1f} s", flush=True)
                page.write(known)
    page.write(known)
    for name, count in page.counts(known, page.SILENT, page.RESULTS).items():
        print(f"{name:<16} {count:>4}")


if __name__ == "__main__":
    main(sys.argv[1:])
