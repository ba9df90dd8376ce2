"""The pictures of a summary, as SVG elements with what is read out in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.report import plots as plotting
from coterie.report.plots.by_column import percent as bar_text
from coterie.report.plots.svg import inline_svg
from coterie.report.verdict import share
from coterie.report.words import count, percent, value

__all__ = ["MOST_DRAWN", "comparison_pictures", "pictures", "risk_of"]

MOST_DRAWN = 24  # attributes whose distributions are drawn; tables hold them all


def pictures(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Every picture of a release or evaluation, by name."""
    figures = summary["figures"]
    columns = summary["columns"]
    what = "units" if figures["unit"] else "records"
    images: dict[str, Any] = {"distributions": {}}
    sizes = [(name, number) for name, number in summary["sizes"]]
    images["sizes"] = inline_svg(
        plotting.group_sizes(sizes, what=what),
        "sizes",
        "Number of classes by size",
        "; ".join(f"{number:,} of {name} {what}" for name, number in sizes),
    )
    for place, column in enumerate(columns[:MOST_DRAWN]):
        if column["kind"] != "none":
            images["distributions"][column["name"]] = _distribution(column, f"d{place}")
    if summary["correlations"] is not None:
        images["correlations"] = _correlations(summary["correlations"])
    drawn = [column for column in columns[:MOST_DRAWN] if "il" in column["measures"]]
    if drawn:
        images["by_column"] = _by_column(drawn)
    if summary.get("knowledge"):
        images["knowledge"] = _knowledge(summary["knowledge"])
    if summary.get("records") and summary["records"]["spread"]:
        spread = [(name, number) for name, number in summary["records"]["spread"]]
        text = "; ".join(f"{name}: {number:,} records" for name, number in spread)
        axes = plotting.group_sizes(spread, what="chance of a link")
        axes.set(ylabel="records", xlabel="chance that an intruder who knows all keys links it")
        images["records"] = inline_svg(axes, "records", "Records by their chance of a link", text)
    if summary["search"] is not None:
        search = summary["search"]
        bound = search["bound"]
        text = f"From {percent(search['trace'][0][1])} down to {percent(search['trace'][-1][1])}"
        text += "" if bound is None else f"; no grouping can go below {percent(bound)}"
        images["search"] = inline_svg(
            plotting.convergence(search["trace"], bound), "search", "Course of the search", text
        )
    return images


def comparison_pictures(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The risk-utility map of several releases; nothing where the risk was not measured."""
    import pandas as pd

    risk, loss = summary["risk"], summary["loss"]
    rows = pd.DataFrame(summary["rows"])
    if not summary["front_order"]:
        return {}
    front = rows.loc[summary["front_order"]]
    drawn = rows.dropna(subset=[risk, loss])
    axes = plotting.risk_utility(drawn, front, risk, loss, by=summary["by"])
    best = "; ".join(
        f"{row[summary['by']]} at k = {row['k']}: {percent(row[risk])} and {percent(row[loss])}"
        for _, row in front.iterrows()
    )
    text = f"{len(drawn)} releases. On the front, from the safest on, risk and loss: {best}."
    return {"map": inline_svg(axes, "map", "Risk-utility map", text)}


def risk_of(column: Mapping[str, Any]) -> dict[str, Any] | None:
    """How many values of a column are nearly disclosed: numbers nearly, categories unchanged."""
    found: dict[str, Any] = column["measures"]
    for name in ("sdid", "offset_adversary", "exact_share"):
        if name in found:
            return found[name]
    return None


def _distribution(column: Mapping[str, Any], name: str) -> str:
    title = f"{column['name']} before and after"
    if column["kind"] == "category":
        axes = plotting.distribution_of_categories(
            column["labels"], column["before"], column["after"]
        )
        parts = zip(column["labels"], column["before"], column["after"], strict=True)
        text = "; ".join(f"{label}: {count(b)}, then {count(a)}" for label, b, a in parts)
        return inline_svg(axes, name, title, text)
    edges, scale = column["edges"], column["scale"]
    axes = plotting.distribution_of_numbers(edges, column["before"], column["after"], scale)
    low, high = value(edges[0], scale), value(edges[-1], scale)
    means = [value(mean, scale) for mean in column["mean"]]
    text = f"Histograms from {low} to {high}; mean {means[0]} before and {means[1]} after."
    return inline_svg(axes, name, title, text)


def _correlations(found: Mapping[str, Any]) -> list[dict[str, str]]:
    names, before, after = found["names"], found["before"], found["after"]
    change = [
        [None if b is None else a - b for a, b in zip(*rows, strict=True)]
        for rows in zip(after, before, strict=True)
    ]
    known = [
        (abs(moved), i, j)
        for i, row in enumerate(change)
        for j, moved in enumerate(row[:i])
        if moved is not None
    ]
    top, text = 0.1, "Those of the original are not told."
    if known:
        most, i, j = max(known)
        top = max(top, most)
        text = (
            f"Largest change: {names[i]} and {names[j]}, "
            f"from {before[i][j]:.2f} to {after[i][j]:.2f}."
        )
    images = []
    for place, (title, matrix, strength) in enumerate(
        (("before", before, 1.0), ("after", after, 1.0), ("difference", change, top))
    ):
        axes = plotting.correlations(names, matrix, top=strength)
        drawn = inline_svg(axes, f"c{place}", f"Correlations, {title}", text)
        images.append({"title": title, "svg": drawn})
    return images


def _knowledge(known: Mapping[str, Any]) -> str:
    worst, most = " and ".join(known["worst"]), percent(known["worst_linked"])
    text = f"Percent of the records linked. Most by who knows {worst}: {most}."
    axes = plotting.known_keys(known["keys"], known["linked"])
    return inline_svg(axes, "knowledge", "Linked by who knows one key or two", text)


def _by_column(columns: list[Mapping[str, Any]]) -> str:
    names = [column["name"] for column in columns]
    losses = [column["measures"]["il"] for column in columns]
    risks = [risk_of(column) for column in columns]
    texts = [(_short(a), _short(b)) for a, b in zip(losses, risks, strict=True)]
    axes = plotting.by_column(
        names,
        [one["value"] for one in losses],
        [None if one is None else one["value"] for one in risks],
        texts=texts,
    )
    parts = zip(names, losses, risks, strict=True)
    text = "; ".join(
        f"{name}: {share(a)} lost, {share(b)} nearly disclosed" for name, a, b in parts
    )
    return inline_svg(axes, "columns", "Information lost and values nearly disclosed by key", text)


def _short(score: Mapping[str, Any] | None) -> str:
    if score is None or (score["value"] is None and "below" not in score):
        return "–"
    if score["value"] is None:
        return f"< {score['below']:.2g}"
    return bar_text(score["value"])
