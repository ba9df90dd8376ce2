"""A public sheet about a release: variables, how they were protected, and the claim.

Everything in it can be read off the released table or is public evidence, by the rules of
`coterie.public`: where the table itself goes to few, the sheet may go to everybody. As XML it
follows the structure of DDI Codebook 2.5 (docDscr, stdyDscr, fileDscr, dataDscr); no maintained
Python library writes that format, so it is made with the standard library.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from coterie import __version__
from coterie.errors import bad_parameter
from coterie.public import METADATA, NOT_REPORTED, DocumentRule, listed
from coterie.report.plain import legible, plain, printable
from coterie.report.released import heading
from coterie.report.words import listing
from coterie.table import atomic
from coterie.table.encoding import CATEGORICAL

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts
    from coterie.table.schema import Attribute

__all__ = ["check_metadata_path", "metadata", "render", "write_metadata"]

SOFTWARE = "coterie"
NAMESPACE = "ddi:codebook:2_5"
ENDINGS = (".xml", ".json")
MOST_LISTED = 50  # categories of a variable
GENERAL = {
    "ancestor": "deepest label of its hierarchy that its group shares",
    "interval": "interval that holds its group, ends rounded outwards",
}
HOW = {
    "continuous": "mean of its group",
    "integer": "mean of its group, to the nearest whole number",
    "date": "mean of its group, to the nearest day",
    "datetime": "mean of its group",
    "ordinal": "median category of its group",
    "nominal": "most frequent category of its group",
    "boolean": "most frequent value of its group",
}


def metadata(release: ReleaseFacts, *, title: str = "", file: str = "") -> dict[str, Any]:
    """What may be told to everybody about a release and its variables.

    Examples
    --------
    >>> import coterie
    >>> from coterie.report.dossier import metadata
    >>> r = coterie.anonymize(coterie.datasets.diabetes(), 5, ["age", "bmi"], method="mdav")
    >>> sheet = metadata(r, title="Patients")
    >>> sheet["variables"][0]["name"], sheet["variables"][0]["role"]
    ('age', 'key')
    """
    evidence = release.evidence.public
    keys = [*release.schema.keys, *release.schema.strata]
    unit = "units" if release.schema.unit is not None else "records"
    claim = (
        f"Every combination of the values of {listing(keys)} that occurs in this file is shared by "
        f"at least {release.k} {unit}."
        if not release.masked_only
        else f"{evidence['claim']}; within each set of keys at least {release.k} {unit} share "
        "every combination of values."
    )
    rules = [one["rule"] for one in evidence.get("rules", {"checked": []})["checked"]]
    head = heading("metadata", "public")
    shuffled = release.plan.row_order == "sorted"
    order = "sorted by their released values" if shuffled else "in their original order"
    rule = DocumentRule("public", release.k, release.units)
    sheet = {
        "title": title or "Protected microdata",
        "created": head["created"],
        "software": f"{SOFTWARE} {__version__}",
        "file": Path(file).name if file and file != "-" else "",
        "records": release.records,
        "claim": claim,
        "method": (
            f"Microaggregation: records were grouped by similarity (method "
            f"{evidence['method']}), at least {release.k} {unit} to a group; each key holds "
            f"one value for the whole group. Rows are {order}."
        ),
        "information_loss_percent": evidence["information_loss_percent"],
        "rounded_to": evidence["rounded_to"].get("information_loss_percent"),
        "rules": rules,
        "limits": (
            "Only the keys are protected. Differences between members of a group are not in "
            "the file: variances and correlations of keys are those of groups. Do not try to "
            "identify anybody."
        ),
        "variables": [_variable(release, name, rule) for name in release.columns],
    }
    return plain(listed(sheet, METADATA))


def write_metadata(
    release: ReleaseFacts, path: str | os.PathLike[str], *, title: str = "", file: str = ""
) -> None:
    """Write the sheet, as .xml (DDI) or .json, whole or not at all."""
    target = check_metadata_path(path)
    atomic.write_text(target, render(metadata(release, title=title, file=file), target.suffix))


def check_metadata_path(path: str | os.PathLike[str]) -> Path:
    """The path, or one line that says which endings there are."""
    if not isinstance(path, (str, os.PathLike)) or Path(path).suffix.lower() not in ENDINGS:
        raise bad_parameter("path", "metadata", "a file that ends in .xml or .json", str(path))
    return Path(path)


def render(sheet: dict[str, Any], ending: str) -> str:
    """The sheet as text."""
    if ending.lower() == ".json":
        return json.dumps(sheet, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    root = _codebook(sheet)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _variable(release: ReleaseFacts, name: str, rule: DocumentRule) -> dict[str, Any]:
    import narwhals as nw
    import numpy as np

    attribute = release.schema[name]
    column = release.column(name)
    role = next(
        (one for one in ("key", "stratum", "confidential", "weight") if one in attribute.roles),
        "other",
    )
    gaps = column.is_null().to_numpy()
    few_gaps = bool(gaps.any() and rule.few(gaps.astype(np.int64), 2)[1])
    # Of how many units some records are, nobody can say where units are no longer known.
    countable = release.schema.unit is None or release.units is not None
    reported: dict[str, Any] = {
        "name": name,
        "type": attribute.type,
        "role": role,
        "released": _released(release, attribute) if role == "key" else "as collected",
        "missing": None if few_gaps or not countable else int(gaps.sum()),
    }
    if attribute.type in CATEGORICAL or attribute.generalized:
        reported |= (
            {} if not countable else _categories(column.cast(nw.String).to_list(), few_gaps, rule)
        )
    elif attribute.type in ("continuous", "integer"):
        there = column.cast(nw.Float64).drop_nulls()
        if len(there) and role == "key":  # of released centroids, each shared by a group
            reported["mean"] = float(f"{there.mean():.6g}")
            reported["standard_deviation"] = float(f"{there.std(ddof=0):.6g}")
    return reported


def _categories(values: list[str | None], few_gaps: bool, rule: DocumentRule) -> dict[str, Any]:
    """The categories that enough units share, and the number of records of all others.

    The others hold what is missing where that is not told: the rest of the total would tell it.
    """
    import numpy as np

    names, codes = np.unique(["" if v is None else f"={v}" for v in values], return_inverse=True)
    if len(names) > MOST_LISTED:
        return {}
    counts = np.bincount(codes)
    missing = names == ""
    apart = rule.few(codes, len(names)) & (~missing | few_gaps)
    for c in np.argsort(counts, kind="stable"):
        rest = apart[codes].astype(np.int64)
        if not rest.any() or not rule.few(rest, 2)[1]:
            break
        apart[c] |= not missing[c]
    shown = {
        str(n)[1:]: int(m)
        for n, m, hidden in zip(names, counts, apart, strict=True)
        if not hidden and n
    }
    others = int(counts[apart].sum())
    return {"categories": shown, **({"other_categories": others} if others else {})}


def _released(release: ReleaseFacts, attribute: Attribute) -> str:
    kind = attribute.type
    aggregation = attribute.release or release.evidence.public["aggregation"]
    if aggregation in GENERAL:
        return GENERAL[aggregation]
    if kind in CATEGORICAL or aggregation == "mean":
        return HOW[kind]
    if aggregation == "median":
        return "median of its group"
    return "value near the mean of its group, moved away from the members' values (P3M)"


def _codebook(sheet: dict[str, Any]) -> ET.Element:
    """The sheet in the elements of DDI Codebook 2.5, in the order that it asks for."""
    root = ET.Element("codeBook", {"xmlns": NAMESPACE, "version": "2.5"})
    document = ET.SubElement(root, "docDscr")
    cited = ET.SubElement(document, "citation")
    _text(ET.SubElement(cited, "titlStmt"), "titl", f"Metadata of: {sheet['title']}")
    production = ET.SubElement(cited, "prodStmt")
    _text(production, "prodDate", sheet["created"], date=sheet["created"])
    _text(production, "software", SOFTWARE, version=__version__)

    study = ET.SubElement(root, "stdyDscr")
    _text(ET.SubElement(ET.SubElement(study, "citation"), "titlStmt"), "titl", sheet["title"])
    described = ET.SubElement(study, "stdyInfo")
    _text(described, "abstract", f"{sheet['claim']} {sheet['method']}")
    method = ET.SubElement(study, "method")
    cleaning = ET.SubElement(method, "dataColl")
    _text(cleaning, "cleanOps", sheet["method"])
    for rule in sheet["rules"]:
        _text(method, "notes", f"Every record keeps: {rule}", type="edit rule")
    analysis = ET.SubElement(method, "anlyInfo")
    lost = sheet["information_loss_percent"]
    if not isinstance(lost, str):
        lost = f"{lost:g} percent"
    if lost != NOT_REPORTED:
        lost += " of what one value for everybody would lose"
    _text(analysis, "dataAppr", f"Information lost in the keys: {lost}.")
    access = ET.SubElement(ET.SubElement(study, "dataAccs"), "useStmt")
    _text(access, "confDec", sheet["claim"])
    _text(access, "disclaimer", sheet["limits"])

    file = ET.SubElement(root, "fileDscr", {"ID": "F1"})
    about = ET.SubElement(file, "fileTxt")
    if sheet["file"]:
        _text(about, "fileName", sheet["file"])
    size = ET.SubElement(about, "dimensns")
    _text(size, "caseQnty", str(sheet["records"]))
    _text(size, "varQnty", str(len(sheet["variables"])))

    data = ET.SubElement(root, "dataDscr")
    for place, reported in enumerate(sheet["variables"], start=1):
        interval = "discrete" if reported["type"] in CATEGORICAL else "contin"
        variable = ET.SubElement(
            data,
            "var",
            {
                "ID": f"V{place}",
                "name": printable(reported["name"]),
                "files": "F1",
                "intrvl": interval,
            },
        )
        _text(variable, "labl", reported["name"])
        _text(
            variable,
            "security",
            f"{reported['role']}: released is the {reported['released']}"
            if reported["role"] == "key"
            else f"{reported['role']}: released as collected",
        )
        if reported["missing"]:
            _text(variable, "sumStat", str(reported["missing"]), type="invd")
        for statistic, code in (("mean", "mean"), ("standard_deviation", "stdev")):
            if statistic in reported:
                _text(variable, "sumStat", f"{reported[statistic]:g}", type=code)
        for value, count in reported.get("categories", {}).items():
            category = ET.SubElement(variable, "catgry")
            _text(category, "catValu", value)
            _text(category, "catStat", str(count), type="freq")
        if "other_categories" in reported:
            category = ET.SubElement(variable, "catgry", {"missing": "N"})
            _text(category, "labl", "all other categories")
            _text(category, "catStat", str(reported["other_categories"]), type="freq")
        numeric = reported["type"] in ("continuous", "integer")
        ET.SubElement(variable, "varFormat", {"type": "numeric" if numeric else "character"})
    return root


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    """A child with text; characters that XML cannot hold are shown by signs."""
    ET.SubElement(parent, tag, legible(attributes)).text = legible(text)
