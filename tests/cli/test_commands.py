"""The commands as a steward types them: exit codes, one-line errors, files whole or untouched."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from coterie.cli import main
from tests import apart
from tests.mixed import KEYS, mixed


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return code, out, err


PROTECT = ("-k", "3", "-q", "age", "-q", "income", "--drop", "name")


def test_protect_then_verify(capsys, people, tmp_path):
    out = tmp_path / "out.csv"
    code, _, err = run(capsys, "anonymize", people, "-o", out, *PROTECT)
    assert code == 0
    assert "k-anonymous on age, income" in " ".join(err.split())
    released = pd.read_csv(out)
    assert released.groupby(["age", "income"]).size().min() >= 3
    assert "name" not in released
    assert run(capsys, "verify", out, "-k", 3, "-q", "age", "-q", "income")[0] == 0
    code, _, err = run(capsys, "verify", people, "-k", 3, "-q", "age", "-q", "income")
    assert code == 1
    assert err.startswith("coterie: Not 3-anonymous on age, income")
    assert len(err.splitlines()) == 1


def test_verify_tells_its_findings_as_json_either_way(capsys, people, tmp_path):
    out = tmp_path / "out.csv"
    run(capsys, "anonymize", people, "-o", out, *PROTECT)
    for file, code in ((out, 0), (people, 1)):
        found, told, err = run(
            capsys, "verify", file, "-k", 3, "-q", "age", "-q", "income", "--json"
        )
        assert found == code
        counts = json.loads(told)
        assert counts["k_anonymous"] is (code == 0)
        assert (counts["achieved"] >= 3) is (code == 0)
        assert (counts["k"], counts["keys"]) == (3, ["age", "income"])
        assert len(err.splitlines()) == code
    assert counts["smallest"][0] == counts["achieved"] == 1
    assert counts["classes_below_k"] > 10
    code, told, _ = run(capsys, "verify", people, "-k", 3, "-q", "agee", "--json")
    assert (code, told) == (2, "")


def test_an_equals_sign_in_a_column_name(capsys, people, tmp_path):
    odd, out = tmp_path / "odd.csv", tmp_path / "out.csv"
    frame = pd.read_csv(people).rename(columns={"age": "a=b", "income": "a"})
    frame.loc[:2, "a=b"] = -9
    frame.to_csv(odd, index=False)
    wanted = ("-k", "3", "-q", "a=b", "-q", "a", "--drop", "name", "--keep-order", "--quiet")
    special = ("--type", "a=b=continuous", "--missing-code", "a=b=-9", "--missing", "drop")
    code, _, err = run(capsys, "anonymize", odd, "-o", out, *wanted, *special)
    assert (code, err) == (0, "")
    assert len(pd.read_csv(out)) == 57
    code, _, err = run(capsys, "anonymize", odd, "-o", out, *wanted, "--type", "c=d=integer")
    assert code == 2
    assert "'c'" in err


def test_json_and_evidence_files(capsys, people, tmp_path):
    files = {name: tmp_path / f"{name}.json" for name in ("internal", "public")}
    code, out, _ = run(
        capsys,
        "anonymize",
        people,
        "-o",
        tmp_path / "o.parquet",
        *PROTECT,
        "--json",
        "--seed",
        7,
        "--evidence",
        files["internal"],
        "--public-evidence",
        files["public"],
        "--crosswalk",
        tmp_path / "cross.csv",
    )
    assert code == 0
    assert json.loads(out)["k"] == 3
    assert json.loads(files["internal"].read_text())["asked"]["random_state"] == 7
    assert "asked" not in json.loads(files["public"].read_text())
    assert len(pd.read_csv(tmp_path / "cross.csv")) == 60


def test_standard_streams(people):
    done = subprocess.run(
        [sys.executable, "-m", "coterie", "anonymize", "-", "-o", "-", *PROTECT],
        input=people.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    released = pd.read_csv(io.BytesIO(done.stdout))
    assert released.groupby(["age", "income"]).size().min() >= 3


def test_dry_run_writes_nothing(capsys, people, tmp_path):
    before = sorted(tmp_path.iterdir())
    assert run(capsys, "anonymize", people, "--dry-run", *PROTECT)[0] == 0
    assert sorted(tmp_path.iterdir()) == before


def test_settings_file(capsys, people, tmp_path):
    settings = tmp_path / "people.toml"
    assert run(capsys, "init", people, "-o", settings)[0] == 0
    assert "name" in settings.read_text()
    code, _, err = run(capsys, "init", people, "-o", settings)
    assert code == 2
    assert "--force" in err
    code, _, err = run(
        capsys, "anonymize", people, "--config", settings, "-o", tmp_path / "o.csv", *PROTECT
    )
    assert code == 0, err


def test_every_problem_in_one_message(capsys, tmp_path):
    path = tmp_path / "mixed.csv"
    mixed(500).to_csv(path, index=False)
    keys = [flag for name in KEYS for flag in ("-q", name)]
    code, _, err = run(capsys, "anonymize", path, "-k", 3, *keys, "-o", tmp_path / "o.csv")
    assert code == 2
    assert len(err.splitlines()) == 1
    assert all(part in err for part in ("'income'", "'height'", "'name'", "'email'", "--missing"))
    assert not (tmp_path / "o.csv").exists()


def write(path, text, binary=False):
    path.write_bytes(text if binary else text.encode())
    return path


def nasty(tmp_path):
    """Twelve inputs: name -> (file, arguments, words of the error; None if it is legal)."""
    good = "a,b\n" + "".join(f"{i},{i * i % 7}\n" for i in range(12))
    parquet = tmp_path / "t.parquet"
    pd.DataFrame({"a": range(100)}).to_parquet(parquet)
    whole = parquet.read_bytes()
    base = ("-k", 3, "-q", "a")
    return {
        "gap": (write(tmp_path / "1.csv", good.replace("5,4", ",4")), base, "'a' (1)"),
        "infinity": (write(tmp_path / "2.csv", good.replace("5,4", "inf,4")), base, "finite"),
        "1e300": (write(tmp_path / "3.csv", good.replace("5,4", "1e300,4")), base, None),
        "beyond 2^53": (
            write(tmp_path / "4.csv", good.replace("5,4", f"{2**53 + 2},4")),
            base,
            "2**53",
        ),
        "constant": (write(tmp_path / "5.csv", "a,b\n" + "1,2\n" * 12), base, None),
        "k = 1": (write(tmp_path / "6.csv", good), ("-k", 1, "-q", "a"), "at least 2"),
        "k > n": (write(tmp_path / "7.csv", good), ("-k", 13, "-q", "a"), "number of records, 12"),
        "empty table": (write(tmp_path / "8.csv", "a,b\n"), base, "row"),
        "repeated names": (write(tmp_path / "9.csv", "a,a\n1,2\n3,4\n5,6\n"), base, "'a'"),
        "unknown column": (write(tmp_path / "10.csv", good), ("-k", 3, "-q", "agee"), "agee"),
        "truncated": (
            write(tmp_path / "11.parquet", whole[: len(whole) // 2], True),
            base,
            "11.parquet",
        ),
        "binary": (write(tmp_path / "12.csv", bytes(range(256)) * 20, True), base, "12.csv"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "gap",
        "infinity",
        "1e300",
        "beyond 2^53",
        "constant",
        "k = 1",
        "k > n",
        "empty table",
        "repeated names",
        "unknown column",
        "truncated",
        "binary",
    ],
)
def test_nasty_inputs(capsys, tmp_path, name):
    path, arguments, words = nasty(tmp_path)[name]
    out = tmp_path / ("out" + path.suffix)
    before = {p.name for p in tmp_path.iterdir()}
    code, _, err = run(
        capsys, "anonymize", path, *arguments, "-o", out, "--quiet", "--declare", "a"
    )
    if words is None:
        assert code == 0, err
        assert run(capsys, "verify", out, "-k", 3, "-q", "a")[0] == 0
    else:
        assert code == 2, err
        assert words in err
        assert len(err.splitlines()) == 1
        assert {p.name for p in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("anonymize",), "Missing argument"),
        (("anonymise", "x.csv"), "No such command"),
        (("anonymize", "none.csv", "-k", "3", "-q", "a", "-o", "o.csv"), "none.csv"),
        (("anonymize", "x.csv", "-k", "3", "-q", "a"), "must be given -o"),
        (("verify", "x.csv"), "verify must be given -k"),
    ],
)
def test_bad_usage_is_one_line(capsys, arguments, words):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert words in err
    assert len(err.splitlines()) == 1


def test_help_is_quick_and_names_every_command():
    done = subprocess.run(
        [sys.executable, "-m", "coterie", "--help"], capture_output=True, text=True, check=True
    )
    for command in (
        "anonymize",
        "evaluate",
        "verify",
        "compare",
        "tune",
        "look",
        "init",
        "hierarchy",
        "methods",
        "demo",
    ):
        assert command in done.stdout
    # Half a second on a quiet machine, and none of what takes longer to load on any.
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, coterie.cli; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not {"numpy", "numba", "pandas", "pyarrow", "scipy", "matplotlib"} & set(loaded)


def test_evaluate_through_the_crosswalk(capsys, people, tmp_path):
    out, cross = tmp_path / "o.csv", tmp_path / "c.csv"
    assert run(capsys, "anonymize", people, "-o", out, *PROTECT, "--crosswalk", cross)[0] == 0
    asked = ("evaluate", people, out, "-q", "age", "-q", "income", "--json")
    code, found, _ = run(capsys, *asked, "--crosswalk", cross)
    assert code == 0
    scores = json.loads(found)["measures"]
    assert scores["achieved_k"]["value"] >= 3
    assert 0 < scores["il"]["value"] < 100
    code, found, _ = run(capsys, *asked)
    assert code == 0
    assert "il" in json.loads(found)["refused"]
    code, _, err = run(capsys, *asked, "--crosswalk", cross, "--aligned")
    assert code == 2
    assert "one of --aligned" in err
    code, found, _ = run(capsys, "evaluate", people, people, "-q", "age", "--aligned")
    assert code == 0
    assert "achieved_k" in found


def test_compare_methods(capsys, people):
    arguments = ("-k", 3, "-k", 5, "-q", "age", "-q", "income", "--drop", "name")
    code, out, err = run(
        capsys, "compare", people, *arguments, "--methods", "mdav,mdav-mhm", "--json"
    )
    assert code == 0, err
    rows = json.loads(out)
    assert [(r["k"], r["method"]) for r in rows] == [
        (3, "mdav"),
        (3, "mdav-mhm"),
        (5, "mdav"),
        (5, "mdav-mhm"),
    ]
    assert rows[1]["information_loss"] <= rows[0]["information_loss"]
    code, out, err = run(capsys, "compare", people, *arguments, "--methods", "mdav,mdaw")
    assert code == 2
    assert "Did you mean" in err
    assert run(capsys, "compare", people, *arguments, "--methods", "mdav")[0] == 0


def test_tune_prints_the_front(capsys, people, tmp_path):
    code, out, err = run(
        capsys,
        "tune",
        people,
        "-k",
        3,
        "-q",
        "age",
        "-q",
        "income",
        "--methods",
        "mdav",
        "-o",
        tmp_path / "t.csv",
        "--plot",
        tmp_path / "t.svg",
    )
    assert code == 0, err
    assert "mdav" in out
    assert set(pd.read_csv(tmp_path / "t.csv")["aggregation"]) == {"mean", "p3m"}
    assert (tmp_path / "t.svg").read_text().lstrip().startswith("<?xml")


@pytest.mark.parametrize("option", ["-o", "--evidence", "--public-evidence", "--crosswalk"])
def test_no_output_takes_the_place_of_another_file(capsys, people, tmp_path, option):
    before = people.read_bytes()
    outputs = {"-o": tmp_path / "o.csv", option: people}
    flags = [part for pair in outputs.items() for part in pair]
    code, _, err = run(capsys, "anonymize", people, *flags, *PROTECT)
    assert code == 2
    assert "a file of its own" in err
    assert people.read_bytes() == before
    if option != "-o":
        code, _, err = run(
            capsys,
            "anonymize",
            people,
            "-o",
            tmp_path / "o.csv",
            option,
            tmp_path / "o.csv",
            *PROTECT,
        )
        assert code == 2
        assert not (tmp_path / "o.csv").exists()


def test_a_missing_folder_is_told_before_any_work(capsys, people, tmp_path):
    out = tmp_path / "o.csv"
    code, _, err = run(
        capsys, "anonymize", people, "-o", out, "--evidence", tmp_path / "no" / "e.json", *PROTECT
    )
    assert code == 2
    assert "folder does not exist" in err
    assert not out.exists()


def test_unknown_settings_are_refused(capsys, people, tmp_path):
    settings = tmp_path / "s.toml"
    settings.write_text('kk = 3\nquasi_identifiers = ["age"]\n')
    code, _, err = run(
        capsys, "anonymize", people, "--config", settings, "-o", tmp_path / "o.csv", "-k", 3
    )
    assert code == 2
    assert "kk" in err


def test_a_bug_is_one_line_and_no_finding(capsys, people, monkeypatch):
    monkeypatch.setattr("coterie.evaluation.verified.verify", lambda *a, **k: 1 / 0)
    code, _, err = run(capsys, "verify", people, "-k", 3, "-q", "age")
    assert code == 70
    assert err.startswith("coterie: unexpected ZeroDivisionError")


def test_methods_are_listed(capsys):
    code, out, _ = run(capsys, "methods", "--json")
    assert code == 0
    assert "mdav" in [m["name"] for m in json.loads(out)]


@apart.POSIX
@pytest.mark.parametrize("delay", [0.3, 1.2, 2.0])
def test_ctrl_c_leaves_the_old_file_or_the_whole_new_one(tmp_path, delay):
    source = tmp_path / "in.parquet"
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.normal(size=(60_000, 3)), columns=list("xyz")).to_parquet(source)
    target = tmp_path / "out.parquet"
    target.write_text("old")
    keys = [part for name in "xyz" for part in ("-q", name, "--declare", name)]
    command = ("-m", "coterie", "anonymize", source, "-k", "3", *keys, "-o", target)
    with apart.started(*command, stderr=subprocess.PIPE) as process:
        time.sleep(delay)  # whatever it is doing then
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=apart.PATIENCE)
    assert "Traceback" not in err or "/coterie/" not in err  # before that it is Python's own
    names = {p.name for p in tmp_path.iterdir()}
    assert names == {"in.parquet", "out.parquet"}
    if target.read_bytes() == b"old":
        assert process.returncode != 0
    else:
        assert pd.read_parquet(target).groupby(list("xyz")).size().min() >= 3
