"""Pages of measured figures say what the kept results say."""

from __future__ import annotations

from benchmarks.meaning import page as meaning
from benchmarks.risk import page as risk
from benchmarks.scale import page as scale


def test_the_page_on_codes_and_advice_is_made_from_its_results():
    assert meaning.PAGE.read_text(encoding="utf-8") == meaning.text()


def test_the_page_on_large_tables_is_made_from_its_results():
    assert scale.PAGE.read_text(encoding="utf-8") == scale.text()


def test_the_page_on_risks_is_made_from_its_results():
    assert risk.PAGE.read_text(encoding="utf-8") == risk.text(risk.results())
