"""The page docs/measured/risk.md and its picture, made from what was kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "measured" / "risk.md"
PICTURE = ROOT / "docs" / "images" / "risk.svg"
RESULT = Path(__file__).with_name("result.json")
Risk = list[float]  # percent: what was found, and its interval

HEAD = """# The three risks, measured

Made by `make bench-risk` from `benchmarks/risk/result.json`. The [attacks](../how-to/attacks.md)
on `datasets.health`: {released:,} records released by MDAV on six keys,
diagnosis and cost as they are, and {held_out:,} held out by the seed before grouping. Risk is what
the release adds to what is known of people who are not in it, in percent, with its 95 % interval.
Seconds are processor seconds of all three attacks.

Predicates on one column single out nearly everybody at every k: each cost is another one, and it is
released as it is. Those on three columns leave that aside.
"""
BESIDE = """
## Beside anonymeter

The same files, judged by anonymeter {version} in an environment of its own, with {attempts:,}
attempts against our 2,000. Where rows are equally near it takes one and the same of them for both
halves, so that two intruders meet in a class rather than in a record: its linkability stands beside
ours of classes.
"""
SCALED = """
Of a control smaller than what is released it counts fewer predicates that hold for one record, and
tells the risk of singling out the higher. In a run by itself with {held_out:,} held out, at k = {k}
and on three columns: ours {ours}, theirs {theirs}; the other cells were not run so.
"""


def keep(rows: list[dict[str, Any]], other: dict[str, Any] | None, *sizes: int) -> None:
    """Keep what was found, and make the page; the other suite's findings stay if it was not run."""
    before = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    found = {
        "released": sizes[0],
        "held_out": sizes[1],
        "rows": rows,
        "other": other or before.get("other"),
    }
    RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    make()


def make() -> None:
    """Page and picture, from what was kept."""
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    PAGE.write_text(text(found), encoding="utf-8")
    picture(found["rows"])


def text(found: dict[str, Any]) -> str:
    """The page."""
    titles = [*FOUND, "loss", "seconds"]
    lines = ["| k | t | " + " | ".join(titles) + " |", "| --- " * (len(titles) + 2) + "|"]
    for row in found["rows"]:
        cells = [shown(pick(row)) for pick in FOUND.values()]
        cells += [f"{row['loss']:.1f}", f"{row['seconds']:.1f}"]
        lines.append(f"| {row['k']} | {bound(row)} | {' | '.join(cells)} |")
    lines += ["", "![Risk over k, with and without t-closeness](../images/risk.svg)"]
    made = HEAD.format(**found) + "\n" + "\n".join(lines) + "\n"
    if found["other"]:
        made += BESIDE.format(**found["other"]) + "\n"
        made += "\n".join(beside(found["rows"], found["other"])) + "\n"
    if found.get("equal") and found["held_out"] < found["released"]:
        one = found["equal"]
        both = {name: shown(one[name]) for name in ("ours", "theirs")}
        made += SCALED.format(k=one["k"], held_out=one["held_out"], **both)
    return made


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


def beside(rows: list[dict[str, Any]], other: dict[str, Any]) -> list[str]:
    """Both suites' risks, cell by cell, and how many intervals overlap."""
    lines = ["| k | attack | ours | theirs | overlap |", "| --- " * 5 + "|"]
    overlaps = []
    for row in (row for row in rows if row["t"] is None):
        for name, pick in ALIKE.items():
            ours, theirs = pick(row), other["found"][str(row["k"])][name]
            overlaps.append(ours[1] <= theirs[2] and theirs[1] <= ours[2])
            met = "yes" if overlaps[-1] else "**no**"
            lines.append(f"| {row['k']} | {name} | {shown(ours)} | {shown(theirs)} | {met} |")
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

    from coterie.report.plots.palette import COLOURS, SERIES

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
                color=COLOURS[SERIES[place]],
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
