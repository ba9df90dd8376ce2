"""What is said on the command line and in the settings file, together."""

from __future__ import annotations

import io

import pandas as pd
import pytest


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "plan.toml"

    def write(text):
        path.write_text(text)
        return path

    return write


def test_lists_add_up_and_nothing_dropped_comes_back(run, people, settings, tmp_path):
    table = pd.read_csv(people)
    table["ssn"] = [f"{i:04d}-x" for i in range(len(table))]
    table.to_csv(people, index=False)
    config = settings("k = 3\nquasi_identifiers = ['age']\nidentifiers = ['name']\n")
    out = tmp_path / "out.csv"
    code, _, err = run(
        "anonymize", people, "-o", out, "--config", config, "--drop", "ssn", "-q", "income"
    )
    assert code == 0, err
    released = pd.read_csv(out)
    assert list(released.columns) == ["age", "income", "region", "diagnosis"]
    assert released.groupby(["age", "income"]).size().min() >= 3


def test_rules_add_up(run, people, settings, tmp_path):
    config = settings(
        "k = 3\nquasi_identifiers = ['age', 'income']\nidentifiers = ['name']\n"
        "rules = ['age >= 0']\nmethod = 'mdav'\n"
    )
    evidence = tmp_path / "e.json"
    base = ("anonymize", people, "-o", tmp_path / "out.csv", "--config", config)
    code, _, err = run(*base, "--rule", "income >= 0", "--evidence", evidence)
    assert code == 0, err
    checked = pd.read_json(evidence, typ="series")["rules"]["checked"]
    assert [one["rule"] for one in checked] == ["age >= 0", "income >= 0"]


def test_a_column_in_two_roles_is_refused(run, people, settings, tmp_path):
    config = settings("k = 3\nquasi_identifiers = ['age', 'income']\nidentifiers = ['name']\n")
    out = tmp_path / "out.csv"
    code, _, err = run("anonymize", people, "-o", out, "--config", config, "--drop", "age")
    assert code == 2
    assert "'age' is named in identifiers and in quasi_identifiers" in err
    assert not out.exists()


def test_a_weight_adds_to_the_files_and_order_can_be_taken_back(run, people, settings, tmp_path):
    config = settings(
        "k = 3\nquasi_identifiers = ['age', 'income']\nidentifiers = ['name']\nmethod = 'mdav'\n"
        "row_order = 'keep'\n[columns.income]\nweight = 100\n"
    )
    evidence = tmp_path / "e.json"
    base = ("anonymize", people, "-o", tmp_path / "out.csv", "--config", config)
    code, _, err = run(*base, "--attribute-weight", "age=1", "--evidence", evidence)
    assert code == 0, err
    asked = pd.read_json(evidence, typ="series")["asked"]
    assert asked["attribute_weights"] == {"income": 100, "age": 1}
    assert asked["row_order"] == "keep"
    assert run(*base, "--no-keep-order", "--evidence", evidence)[0] == 0
    assert pd.read_json(evidence, typ="series")["asked"]["row_order"] == "sorted"
    released = pd.read_csv(tmp_path / "out.csv")
    assert released["age"].is_monotonic_increasing


def test_codes_of_file_and_flag(run, people, settings, tmp_path):
    table = pd.read_csv(people)
    table.loc[:4, "age"] = -9
    table.loc[5:9, "age"] = -8
    table.to_csv(people, index=False)
    config = settings(
        "k = 3\nquasi_identifiers = ['age', 'income']\nidentifiers = ['name']\nmethod = 'mdav'\n"
        "missing = 'pattern'\nmissing_codes = [-9]\n"
    )
    evidence = tmp_path / "e.json"
    base = ("anonymize", people, "-o", tmp_path / "out.csv", "--config", config)
    assert run(*base, "--missing-code", "age=-8", "--evidence", evidence)[0] == 0
    asked = pd.read_json(evidence, typ="series")["asked"]
    assert asked["missing_codes"] == {"*": [-9], "age": [-8]}


@pytest.mark.parametrize(
    "line",
    [
        "method_options = 5",
        "attribute_groups = [5]",
        "rules = 5",
        "unit = ['a']",
        "sample_weight = 3",
        "k = 'five'",
        "time_limit = 'long'",
        "min_distinct = 'two'",
        "quasi_identifiers = 5",
        "previous = 5",
        "[columns.age]\norder = 5",
        "[columns.age]\ntype = 5",
        "[columns.age]\nweight = 'much'",
        "[columns.age]\nhierarchy = 5",
        "[columns.age]\nrelease = 5",
        "[columns.age]\nstep = []",
        "[columns.age]\nrecode = {bands = 'x'}",
        "analyses = 5",
        "unit_columns = 5",
        "suppress_at_most = 'x'",
        "recursive_cl = 5",
        "attribute_groups = {age = 5}",
        "missing_codes = [[1]]",
        "[columns.age]\norder = [[1]]",
        "[columns.age]\nmissing_codes = [-inf]",
        "[columns.income]\nmissing_codes = 1" + "0" * 400,
        'previous = ["\\u0000"]',
    ],
)
def test_a_file_with_a_value_of_the_wrong_type(run, people, settings, tmp_path, line):
    base = "" if line.startswith(("k ", "quasi")) else "k = 3\nquasi_identifiers = ['age']\n"
    config = settings(base + line + "\n")
    out = tmp_path / "out.csv"
    extra = ("-k", 3) if line.startswith("quasi") else ()
    roles = ("--drop", "name", "--declare", "income")  # nothing else is to be refused
    code, _, err = run("anonymize", people, "-o", out, "--config", config, *roles, *extra)
    assert code == 2, err
    assert err.count("\n") == 1
    assert "unexpected" not in err
    assert not out.exists()


def test_a_code_that_no_column_can_hold_is_in_none(run, people, settings, tmp_path):
    config = settings(
        "k = 3\nquasi_identifiers = ['age']\nmissing_codes = [inf, 1" + "0" * 400 + "]\n"
    )
    roles = ("--drop", "name", "--declare", "income")
    code, _, err = run("anonymize", people, "-o", tmp_path / "o.csv", "--config", config, *roles)
    assert code == 0, err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--broken-rules", "drop"), "has no effect without rules"),
        (("--small-strata", "drop"), "has no effect without strata"),
        (("--departed", "drop"), "must come with previous"),
        (("--step", "age=5"), "is for intervals"),
        (
            ("--hierarchy", "age=bands:5", "--release", "age=interval", "--step", "age=10"),
            "hierarchy of column 'age' has no effect",
        ),
        (("--hierarchy", "age=bands:5", "--hierarchy", "age=bands:10"), "one thing of a column"),
        (("--type", "age=integer", "--type", "age=nominal"), "one thing of a column"),
    ],
)
def test_what_would_have_no_effect_is_refused(run, people, tmp_path, flags, message):
    base = ("anonymize", people, "-o", tmp_path / "out.csv", "-k", 3, "-q", "age", "--drop", "name")
    code, _, err = run(*base, *flags)
    assert code == 2
    assert message in err
    assert "release its ," not in err  # a message without its word


def test_the_terminal_says_what_every_column_becomes_before_the_work(run, people, tmp_path):
    base = ("anonymize", people, "-o", tmp_path / "out.csv", "-k", 3, "-q", "age", "--drop", "name")
    more = ("--confidential", "diagnosis", "--strata", "region", "--declare", "income")
    code, _, err = run(*base, *more)
    assert code == 0
    lines = [" ".join(line.split()) for line in err.splitlines()]
    assert "released as centroids age" in lines
    assert "released as it is income, region (stratum), diagnosis (confidential)" in lines
    assert "dropped name" in lines
    assert lines.index("dropped name") < min(
        i for i, line in enumerate(lines) if line.startswith("information lost")
    )


def test_verify_takes_the_same_file(run, people, settings, tmp_path):
    config = settings(
        "k = 3\nquasi_identifiers = ['age']\nstrata = ['region']\nidentifiers = ['name']\n"
        "method = 'mdav'\ndeclared = ['income']\n"
    )
    out = tmp_path / "out.csv"
    assert run("anonymize", people, "-o", out, "--config", config)[0] == 0
    code, told, _ = run("verify", out, "--config", config)
    assert code == 0
    assert "k-anonymous on age, region" in told


def test_compare_takes_the_same_file(run, people, settings):
    config = settings(
        "k = 3\nquasi_identifiers = ['age', 'income']\nidentifiers = ['name']\n"
        "strata = ['region']\ntime_limit = 1\n"
    )
    code, out, err = run("compare", people, "--config", config, "--methods", "mdav,md", "--json")
    assert code == 0, err  # the file's limit may be for another method; a flag's is not
    limited = ("--config", config, "--methods", "mdav,md", "--time-limit", 2)
    for command in (("compare",), ("tune", "--threshold", "il=100")):
        code, _, refused = run(*command, people, "-k", 3, *limited)
        assert code == 2
        assert "'mdav', 'md' run to their end. Got time_limit=2.0; leave it out" in refused
        code, _, refused = run(*command, people, "-q", "age", "-k", "three", "--methods", "mdaf")
        assert code == 2
        assert "'three'" in refused
        assert "Did you mean 'mdav'" in refused
    assert [
        row["method"] for row in pd.read_json(io.StringIO(out), orient="records").to_dict("records")
    ] == [
        "mdav",
        "md",
    ]
