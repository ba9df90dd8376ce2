"""What a command writes is never what it reads, and is refused before any work, in one line."""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from coterie.cli import main

PROTECT = ("-k", "3", "-q", "age", "-q", "income", "--drop", "name", "--method", "mdav")


@pytest.fixture
def refused(capsys, monkeypatch):
    """Run a command that must be refused without reading a table; gives its one line."""

    def run(*arguments):
        with monkeypatch.context() as patch:
            patch.setattr("coterie.table.formats.Format.load", lambda self: 1 / 0)
            code = main([str(a) for a in arguments])
        _, err = capsys.readouterr()
        assert code == 2, err
        assert len(err.splitlines()) == 1
        return err

    return run


def names(path):
    """Other names of one file: relative, by a link, by a hard link."""
    link, hard = path.with_name("link" + path.suffix), path.with_name("hard" + path.suffix)
    link.symlink_to(path.name)
    hard.hardlink_to(path)
    return [path, os.path.join(path.parent, ".", path.name), link, hard]


def test_init_never_replaces_the_table(refused, people, tmp_path, monkeypatch):
    before = people.read_bytes()
    table = people.rename(tmp_path / "people")  # an ending that could be a settings file's
    for output in (*names(table), "people"):
        monkeypatch.chdir(tmp_path)
        err = refused("init", table, "-o", output, "--force", "--format", "csv")
        assert "-o must name a file of its own" in err
        assert "which IN names too; choose another name" in err
    assert table.read_bytes() == before


def test_init_never_replaces_another_table(refused, people, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n")
    assert "-o must name a settings file" in refused("init", people, "-o", other, "--force")
    assert other.read_text() == "a\n1\n"


OUTPUTS = {
    "-o": ".csv",
    "--evidence": ".json",
    "--public-evidence": ".json",
    "--crosswalk": ".csv",
    "--report": ".html",
    "--metadata": ".json",
}


@pytest.mark.parametrize(("option", "suffix"), OUTPUTS.items(), ids=list(OUTPUTS))
@pytest.mark.parametrize("given", ["IN", "--config", "--previous", "previous"])
def test_no_output_is_an_input(refused, people, tmp_path, option, suffix, given):
    """The table, the settings, and crosswalks that flags or settings name; by a hard link too."""
    source, settings, walk = (tmp_path / f"{name}{suffix}" for name in ("in", "set", "walk"))
    source.write_bytes(people.read_bytes())
    walk.write_text("original_row,records,class\n0,1,0\n")
    text = f"previous = [{str(walk)!r}]\n" if given == "previous" else "k = 3\n"
    settings.write_text(text)
    inputs = {"IN": source, "--config": settings, "--previous": walk, "previous": walk}
    command = ["anonymize", source, "--format", "csv", "--config", settings, *PROTECT]
    if given == "--previous":
        command += ["--previous", walk]
    if option != "-o":
        command += ["-o", tmp_path / "out.csv"]
    before = {path: path.read_bytes() for path in (source, settings, walk)}
    for name in names(inputs[given]):
        assert "must name a file of its own" in refused(*command, option, name)
    assert {path: path.read_bytes() for path in before} == before


def test_other_commands_keep_their_inputs(refused, people, tmp_path):
    page = people.rename(tmp_path / "people.html")
    text = ("-k", "3", "-q", "age", "--format", "csv")
    for command in (
        ("tune", page, *text, "-o", page),
        ("tune", page, *text, "--report", page),
        ("compare", page, *text, "--report", page),
        ("evaluate", page, page, "-q", "age", "--format", "csv", "--report", page),
    ):
        assert "must name a file of its own" in refused(*command)


def test_a_dossier_has_a_folder_of_its_own(refused, people, tmp_path):
    folder = tmp_path / "dossier"
    folder.mkdir()
    command = ("anonymize", people, *PROTECT, "--dossier", folder)
    err = refused(*command, "-o", folder / "out.csv")
    assert "--dossier must name a folder of its own" in err
    out = ("-o", tmp_path / "out.csv")
    assert "--evidence" in refused(*command, *out, "--evidence", folder / "evidence.json")
    (folder / "signed").write_text("x")
    err = refused(*command, *out)
    assert err == (
        f"coterie: {folder} must be a new or empty folder. Got one with files in it; choose "
        "another name, or move them.\n"
    )
    deep = tmp_path / "no" / "d"
    assert refused("anonymize", people, *PROTECT, *out, "--dossier", deep) == (
        f"coterie: {deep} cannot be written: the folder above does not exist. Make it first.\n"
    )


@pytest.mark.parametrize(
    ("output", "rule"),
    [
        ("out.docx", "unknown format (extension '.docx')"),
        ("out.xls", "can be read but not written"),
        ("no/out.csv", "its folder does not exist"),
        ("folder.csv", "is a folder, not a file"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_first(refused, people, tmp_path, output, rule):
    (tmp_path / "folder.csv").mkdir()
    assert rule in refused("anonymize", people, *PROTECT, "-o", tmp_path / output)


def test_a_name_that_no_file_can_have_is_refused_first(refused, people):
    base = ("anonymize", people, "-k", 3, "-q", "age")
    assert "-o must name a file. Got ''" in refused(*base, "-o", "")


@pytest.mark.parametrize("end", ["/", "//", "/."])
@pytest.mark.parametrize(
    "command",
    [
        ("anonymize", *PROTECT, "-o", "new.csv"),
        ("anonymize", *PROTECT, "-o", "out.csv", "--evidence", "new.json"),
        ("tune", "-k", 3, "-q", "age", "-o", "new.csv"),
        ("tune", "-k", 3, "-q", "age", "--plot", "new.svg"),
        ("compare", "-k", 3, "-q", "age", "--report", "new.html"),
        ("evaluate", "released.csv", "--report", "new.html"),
        ("hierarchy", "-o", "new.csv"),
        ("init", "-o", "new.toml"),
        ("look", "--html", "new.html"),
    ],
    ids=lambda command: " ".join(map(str, command)),
)
def test_a_name_that_ends_in_a_slash_is_no_file(
    refused, people, tmp_path, monkeypatch, command, end
):
    monkeypatch.chdir(tmp_path)
    name, *rest, last = command
    err = refused(name, people, *rest, f"{last}{end}")
    assert f"{rest[-1]} must name a file. Got '{last}{end}'; leave out the slash" in err
    assert [one.name for one in tmp_path.iterdir()] == [people.name]


def test_a_slash_is_for_folders_of_parts(refused, people, tmp_path):
    tiles = ("anonymize", people, *PROTECT, "--engine", "tiles", "-o")
    assert "must be the path of a file, without a slash" in refused(*tiles, f"{tmp_path}/new.csv/")
    assert main([str(word) for word in (*tiles, f"{tmp_path}/parts/", "--quiet")]) == 0
    assert [one.name for one in (tmp_path / "parts").iterdir()] == ["part-00000.parquet"]


def test_what_is_written_as_csv_ends_so(refused, people, tmp_path):
    walk = ("--crosswalk", tmp_path / "walk.parquet")
    command = ("anonymize", people, *PROTECT, "-o", tmp_path / "out.csv", *walk)
    assert "--crosswalk is written as CSV and must end in .csv" in refused(*command)
    tried = ("tune", people, "-k", "3", "-q", "age", "-o", tmp_path / "tried.xlsx")
    assert "-o is written as CSV and must end in .csv" in refused(*tried)


@pytest.mark.parametrize("option", ["--evidence", "--public-evidence"])
@pytest.mark.parametrize("name", ["r.pdf", "r.html", "evidence", "r.JSON.txt"])
@pytest.mark.parametrize("engine", ["memory", "tiles"])
def test_what_is_written_as_json_ends_so(refused, people, tmp_path, option, name, engine):
    command = ("anonymize", people, *PROTECT, "-o", tmp_path / "out.csv", "--engine", engine)
    said = refused(*command, option, tmp_path / name)
    assert f"{option} is written as JSON and must end in .json" in said
    assert sorted(p.name for p in tmp_path.iterdir()) == [people.name]


def test_a_read_only_folder_is_refused_first(refused, people, tmp_path, monkeypatch):
    locked = tmp_path / "locked"
    locked.mkdir()
    usual = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != locked and usual(path, mode))
    err = refused("anonymize", people, *PROTECT, "-o", locked / "out.csv")
    assert "its folder is read-only" in err
    monkeypatch.undo()

    def mkdir(path, *_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.mkdir", mkdir)
    err = refused("anonymize", people, *PROTECT, "-o", locked / "out.csv")
    assert "cannot be written (No space left on device). Free some space" in err


@pytest.mark.parametrize(
    ("output", "package"),
    [("o.xlsx", "openpyxl"), ("o.sav", "pyreadstat"), ("o.dta", "pyreadstat"), ("-", "pyreadstat")],
)
def test_a_missing_package_is_told_first(refused, people, tmp_path, monkeypatch, output, package):
    usual = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == package else usual(name)
    )
    target = output if output == "-" else tmp_path / output
    form = ("--format", "stata") if output == "-" else ()
    err = refused("anonymize", people, *PROTECT, "-o", target, *form)
    assert f"needs the package {package!r}, which is not installed" in err
    assert 'pip install "coterie[formats]"' in err


def piped(monkeypatch, capsys, text, *arguments):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    code = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("text", "more", "rule"),
    [
        (b"", (), "standard input is empty (0 bytes)"),
        (b"age,income\n", (), "standard input has no rows"),
        (b"age,age\n1,2\n", (), "Column names of standard input must differ"),
        (b"age\n1\n", ("--format", "parquet"), "standard input cannot be read as parquet"),
        (b"age\n1\n", ("--format", "csw"), "Unknown format 'csw'. Did you mean 'csv'?"),
    ],
)
def test_messages_call_standard_input_by_its_name(monkeypatch, capsys, tmp_path, text, more, rule):
    out = tmp_path / "out.csv"
    code, _, err = piped(
        monkeypatch, capsys, text, "anonymize", "-", "-o", out, "-k", 2, "-q", "age", *more
    )
    assert code == 2
    assert rule in err
    assert "coterie-work" not in err
    assert len(err.splitlines()) == 1


def test_messages_call_standard_output_by_its_name(monkeypatch, capsys, people):
    text = people.read_bytes().replace(b"region", b"the region")
    flags = ("-o", "-", "--format", "stata", *PROTECT, "--quiet")
    monkeypatch.setattr("coterie.cli.streams.USUAL", "csv")
    code, _, err = piped(monkeypatch, capsys, text, "anonymize", people, *flags)
    assert code == 2  # the input is no Stata file
    assert "coterie-work" not in err
    people.write_bytes(text)
    table = people.rename(people.with_suffix(".txt"))
    monkeypatch.setattr("coterie.cli.streams.USUAL", "stata")
    code, _, err = piped(
        monkeypatch, capsys, b"", "anonymize", table, "-o", "-", *PROTECT, "--quiet"
    )
    assert code == 2
    assert err.startswith("coterie: standard output cannot be written as stata")
    assert "coterie-work" not in err


def test_a_dossier_of_standard_input_tells_how_to_do_it_again(
    monkeypatch, capsys, people, tmp_path
):
    folder = tmp_path / "dossier"
    flags = ("-o", tmp_path / "out.csv", *PROTECT, "--dossier", folder, "--sweep-k", "3", "--quiet")
    code, _, err = piped(monkeypatch, capsys, people.read_bytes(), "anonymize", "-", *flags)
    assert code == 0, err
    told = (folder / "dossier.json").read_text()
    assert "coterie anonymize - --config settings.toml -o " in told
    assert "coterie-work" not in told


def test_a_full_device_is_told(people):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "coterie", "anonymize", people, "-o", "-", *PROTECT, "--quiet"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "standard output cannot be written to its end (No space left on device)" in done.stderr
    assert done.returncode == 2


def test_line_breaks_in_names_do_not_break_messages(capsys, tmp_path):
    source = tmp_path / "in.csv"
    source.write_bytes(b'"a\ne","b\r\nc"\n1,x\n2,x\n3,y\n')
    for command in (
        ("verify", source, "-k", "2", "-q", "a\ne", "-q", "b\r\nc"),
        ("verify", source, "-k", "2", "-q", "no\nne"),
        ("anonymize", source, "-k", "2", "-q", "a\ne", "-q", "z\x1b[2J", "-o", tmp_path / "o.csv"),
        ("anonymize", tmp_path / "no\nfile.csv", "-k", "2", "-q", "a", "-o", tmp_path / "o.csv"),
    ):
        code = main([str(a) for a in command])
        err = capsys.readouterr().err
        assert code in (1, 2)
        assert len(err.splitlines()) == 1
        assert "\x1b" not in err
    assert main(["verify", str(source), "-k", "1", "-q", "b\r\nc"]) in (0, 2)
    assert len(capsys.readouterr().out.splitlines()) <= 1


def test_a_bad_method_hides_no_other_problem(capsys, people, tmp_path):
    flags = ("-k", "1", "-q", "agee", "--drop", "name", "--method", "mdaw", "--missing", "maybe")
    code = main(["anonymize", str(people), "-o", str(tmp_path / "o.csv"), *flags])
    err = capsys.readouterr().err
    assert code == 2
    assert len(err.splitlines()) == 1
    for told in ("'mdaw'. Did you mean 'mdav'?", "'agee'. Did you mean 'age'?", "'k'", "'missing'"):
        assert told in err
