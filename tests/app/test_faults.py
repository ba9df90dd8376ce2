"""A full disk, and ends at bad moments: the old file or the whole new one, and no scratch."""

from __future__ import annotations

import errno

import pytest

from coterie.app.child import writing
from coterie.app.child.desk import Desk
from coterie.app.child.wire import Controls, Stopped
from coterie.table import atomic
from coterie.table.formats import csv


class Told:
    def __init__(self):
        self.events = []

    def send(self, event, **content):
        self.events.append((event, content))


@pytest.fixture(scope="module")
def release():
    import coterie

    patients = coterie.datasets.diabetes()
    return coterie.anonymize(patients, 5, ["age", "bmi"], method="mdav")


@pytest.fixture
def desk(release):
    told = Told()
    made = Desk(told, Controls(told.send))
    made.releases[1] = release
    return made


def command(tmp_path, **items):
    made = {item: str(tmp_path / name) for item, name in items.items()}
    return {"number": 1, "items": made, "bars": {}, "output": "out.csv"}


def test_a_full_disk_leaves_the_old_file_alone(desk, tmp_path, monkeypatch):
    from coterie.errors import DataError

    (tmp_path / "out.csv").write_text("old\n")

    def full(*args, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(csv, "write", full)
    with pytest.raises(DataError, match="No space left"):
        writing.write(desk, command(tmp_path, release="out.csv", report="r.html"))
    assert (tmp_path / "out.csv").read_text() == "old\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert [content["step"] for _, content in desk.wire.events] == ["begun"]


def test_what_cannot_be_proved_takes_no_name(desk, tmp_path, monkeypatch):
    from coterie.errors import CoterieError

    def torn(table, path, details):
        path.write_text("age,bmi\n1,2\n")

    monkeypatch.setattr(csv, "write", torn)
    with pytest.raises(CoterieError):
        writing.write(desk, command(tmp_path, release="out.csv"))
    assert list(tmp_path.iterdir()) == []
    assert "proven" not in [content["step"] for _, content in desk.wire.events]


def test_cancel_between_two_files_keeps_whole_ones(desk, tmp_path, monkeypatch):
    whole = atomic.write_text

    def then_cancel(target, text):
        whole(target, text)
        desk.controls.hear("stop")

    monkeypatch.setattr(atomic, "write_text", then_cancel)
    with pytest.raises(Stopped):
        writing.write(desk, command(tmp_path, public_evidence="e.json", release="out.csv"))
    assert [path.name for path in tmp_path.iterdir()] == ["e.json"]
