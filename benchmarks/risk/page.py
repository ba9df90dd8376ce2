"""The page docs/measured/risk.md and its picture, made from what was kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "measured" / "risk.md"
PICTURE = ROOT / "docs" / "images" / "risk.svg"
RESULTS = Path(__file__).with_name("results")
SIZES = (3, 5, 10, 20)
UNEQUAL = 5  # the k at which controls of other sizes are tried
SPEED = "speed"
Risk = list[float]  # percent: what was found, and its interval

HEAD = """# The three risks, measured

Made by `make bench-risk` from the files in `benchmarks/risk/results`. The
[attacks](../how-to/attacks.md) on `datasets.health`: {released:,} records released by MDAV on six
keys, diagnosis and cost as they are, and {held_out:,} of other households held out by the seed
before grouping. Risk is what the release adds to what is known of people who are not in it, in
percent, with its 95 % interval. Seconds are processor seconds of all three attacks.
Version {version}, {machine}, {date}.

Predicates on one column single out nearly everybody at every k: each cost is another one, and it is
released as it is. Those on three columns leave that aside.
"""
BESIDE = """
## Beside anonymeter

The same files, judged by anonymeter {anonymeter} in an environment of its own, with {attempts:,}
attempts against our 2,000, and with the same {held_out:,} records held out. Where rows are equally
near it takes one and the same of them for both halves, so that two intruders meet in a class rather
than in a record: its linkability stands beside ours of classes.
"""
UNEQUAL_SIZES = """
## Fewer held out than are released

That a predicate holds for *exactly one* record depends on how many records there are: one that
holds for a share w of all people singles out in a table of n with probability n w (1 - w)^(n - 1).
In a control of a quarter the size a predicate of weight 1/n finds nobody three times out of four.
Counted as it is, such a control makes the reference too low and the risk too high; so both suites
reckon what a control as large as the release would have shown, and both leave it alone where it is
as large. Linkability and inference are shares of persons, which no size changes.

anonymeter (`fit_correction_term`) fits one curve with two parameters (weights spread evenly below a
limit) to subsamples of the control between 1,000 records and all of it, and follows it to the size
of the release: from a
short piece of the curve far beyond its end. Ours takes the likeliest distribution of weights for
the value, and for the interval all distributions that the control allows
(`coterie.evaluation.attacks.control`): the smaller the control, the wider. At k = {k}, singling out
by three columns, other people of the same kind held out:

"""
TRUTH = """
With {large:,} held out the chance of the control is all but gone, and only that of the predicates
is left: the last row is what the others should say. Hold out as many as are released where you can.
"""
SPEEDS = """
## A hundred thousand records

{released:,} mixed records released at k = 5, {held_out:,} held out, sampling weights; {cores}
cores, load {load:.1f} from other work when it began (`make bench-risk ARGS="--only speed
--again"`).

"""


def ours(k: int, t: float | None) -> str:
    """The name of a result."""
    return f"ours-{k}" if t is None else f"ours-{k}-t"


def theirs(k: int, held_out: int | None = None) -> str:
    """The name of a result of the other suite."""
    return f"anonymeter-{k}" if held_out is None else f"anonymeter-control-{held_out}"


def controlled(held_out: int) -> str:
    """The name of ours with a control of another size."""
    return f"control-{held_out}"


def results() -> dict[str, dict[str, Any]]:
    """What was kept, by name."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(RESULTS.glob("*.json"))
    }


def make() -> None:
    """Page and picture, from what was kept."""
    found = results()
    PAGE.write_text(text(found), encoding="utf-8")
    picture(rows_of(found))


def rows_of(found: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Ours with a control of the same size, without t and with it."""
    names = [ours(k, t) for t in (None, 1.0) for k in SIZES]
    return [found[name] for name in names if name in found]


def text(found: dict[str, dict[str, Any]]) -> str:
    """The page."""
    rows = rows_of(found)
    titles = [*FOUND, "loss", "seconds"]
    lines = ["| k | t | " + " | ".join(titles) + " |", "| --- " * (len(titles) + 2) + "|"]
    for row in rows:
        cells = [shown(pick(row)) for pick in FOUND.values()]
        cells += [f"{row['loss']:.1f}", f"{row['seconds']:.1f}"]
        lines.append(f"| {row['k']} | {bound(row)} | {' | '.join(cells)} |")
    lines += ["", "![Risk over k, with and without t-closeness](../images/risk.svg)"]
    made = HEAD.format(**rows[0]) + "\n" + "\n".join(lines) + "\n"
    others = {k: found[theirs(k)] for k in SIZES if theirs(k) in found}
    if others:
        made += BESIDE.format(**next(iter(others.values()))) + "\n"
        made += "\n".join(beside(rows, others)) + "\n"
    made += unequal(found, rows)
    made += speed(found[SPEED]) if SPEED in found else ""
    return made


def unequal(found: dict[str, dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    """Singling out with controls of other sizes, both suites."""
    name = next(iter(ALIKE))
    mine = [one for key, one in found.items() if key.startswith(controlled(0)[:-1])]
    mine += [row for row in rows if row["k"] == UNEQUAL and row["t"] is None]
    if len(mine) < 2:
        return ""
    asked = any(theirs(UNEQUAL, row["held_out"]) in found for row in mine)
    lines = ["| held out | ours | theirs |", "| --- " * 3 + "|"]
    if not asked:
        lines = ["| held out | ours |", "| --- " * 2 + "|"]
    for row in sorted(mine, key=lambda one: one["held_out"]):
        equal = row["held_out"] == row["released"]
        other = found.get(theirs(UNEQUAL, None if equal else row["held_out"]))
        cell = "" if other is None else shown(other["found"][name])
        more = f" {cell} |" if asked else ""
        lines.append(f"| {row['held_out']:,} | {shown(ALIKE[name](row))} |{more}")
    large = max(row["held_out"] for row in mine)
    return UNEQUAL_SIZES.format(k=UNEQUAL) + "\n".join(lines) + "\n" + TRUTH.format(large=large)


def speed(found: dict[str, Any]) -> str:
    """Seconds of everything, by the clock and in processor time."""
    lines = ["| step | seconds | processor seconds |", "| --- " * 3 + "|"]
    for step, (clock, processor) in {**found["steps"], "all of it": found["all"]}.items():
        lines.append(f"| {step} | {clock:.1f} | {processor:.1f} |")
    return SPEEDS.format(**found) + "\n".join(lines) + "\n"


def attack(row: dict[str, Any], name: str, who: str = "all") -> Risk:
    """The risk of an attack by the beginning of its name."""
    for one in row["attacks"]:
        if one["who"] == who and one["name"].startswith(name):
            return [one["risk"], one["low"], one["high"]]
    raise KeyError(name)


FOUND = {
    "singling out, one column": lambda row: attack(row, "by one column"),
    "singling out, three columns": lambda row: attack(row, "by several columns"),
    "linkability": lambda row: row["linkability"],
    "inference": lambda row: row["inference"],
}
DRAWN = list(FOUND)[1:]
# What both suites do alike; the first division of the keys is the same in both.
ALIKE = {
    "singling out, three columns": lambda row: attack(row, "by several columns"),
    "linkability, classes": lambda row: attack(row, "", "class"),
    "inference of diagnosis, neighbors": lambda row: attack(row, "diagnosis by neighbors"),
}


def beside(rows: list[dict[str, Any]], others: dict[int, dict[str, Any]]) -> list[str]:
    """Both suites' risks, cell by cell, and how many intervals overlap."""
    lines = ["| k | attack | ours | theirs | overlap |", "| --- " * 5 + "|"]
    overlaps = []
    for row in (row for row in rows if row["t"] is None and row["k"] in others):
        for name, pick in ALIKE.items():
            mine, other = pick(row), others[row["k"]]["found"][name]
            overlaps.append(mine[1] <= other[2] and other[1] <= mine[2])
            met = "yes" if overlaps[-1] else "**no**"
            lines.append(f"| {row['k']} | {name} | {shown(mine)} | {shown(other)} | {met} |")
    return [*lines, "", f"The intervals overlap in {sum(overlaps)} of {len(overlaps)} cells."]


def bound(row: dict[str, Any]) -> str:
    """The bound on t, or a dash."""
    return "-" if row["t"] is None else f"{row['t']:g}"


def shown(found: Risk) -> str:
    """A risk with its interval."""
    return "{:.1f} [{:.1f}, {:.1f}]".format(*found)


def picture(rows: list[dict[str, Any]]) -> None:
    """Risk over k, an attack a panel."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from coterie.report.plots.palette import COLORS, SERIES

    figure, panels = plt.subplots(1, len(DRAWN), figsize=(9, 3), constrained_layout=True)
    sizes = sorted({row["k"] for row in rows})
    for axes, name in zip(panels, DRAWN, strict=True):
        for place, t in enumerate(dict.fromkeys(row["t"] for row in rows)):
            found = [FOUND[name](row) for row in rows if row["t"] == t]
            axes.errorbar(
                sizes,
                [middle for middle, _, _ in found],
                [[middle - low for middle, low, _ in found], [h - m for m, _, h in found]],
                fmt=("-o", "--s")[place],
                color=COLORS[SERIES[place]],
                capsize=2,
                label="k alone" if t is None else f"and t = {t:g}",
            )
        axes.set(title=name, xlabel="k", ylim=(0, None), xticks=sizes)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("risk, percent")
    panels[-1].legend(frameon=False)
    with plt.rc_context({"svg.hashsalt": "coterie"}):
        figure.savefig(PICTURE, metadata={"Date": None})
    plt.close(figure)
