"""Scratch folders: private, marked, gone at the end; what dead processes left is swept, no more."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import replace

import pytest

from coterie import scratch
from coterie.scratch import folders
from coterie.scratch.owner import Owner
from tests.scratch.leavings import abandoned, dead

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """A folder for temporary files that no other test uses."""
    place = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(folders, "_swept", set())
    return place


@pytest.fixture
def no_locks(monkeypatch):
    monkeypatch.setattr(folders, "lock", lambda descriptor: None)


def names(place):
    return sorted(p.name for p in place.iterdir())


def test_a_folder_is_private_and_gone_at_the_end(tmp_path):
    with scratch.folder(tmp_path, "out.csv") as place:
        (place / "deep" / "er").mkdir(parents=True)
        (place / "deep" / "er" / "file").write_text("x")
        scratch.private_file(place / "secret")
        if os.name == "posix":
            assert place.stat().st_mode & 0o777 == 0o700
            assert (place / "secret").stat().st_mode & 0o777 == 0o600
            assert (place / "owner.json").stat().st_mode & 0o777 == 0o600
        assert json.loads((place / "owner.json").read_text())["pid"] == os.getpid()
    assert not names(tmp_path)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_error_leaves_nothing(tmp_path, error):
    def fail():
        with scratch.folder(tmp_path, "out.csv") as place:
            (place / "file").write_text("x")
            raise error

    with pytest.raises(error):
        fail()
    assert not names(tmp_path)


def test_clear_removes_all_that_is_open(tmp_path):
    with scratch.folder(tmp_path, "a") as one, scratch.folder(None, "b", holder=one) as other:
        assert json.loads((one / "elsewhere.json").read_text()) == [str(other)]
        (other / "file").write_text("x")
        assert scratch.clear()
        assert not one.exists()
        assert not other.exists()


def test_a_folder_in_the_making_is_cleared(tmp_path, monkeypatch):
    """The thread that made it was stopped between its name and its marker."""
    path = tmp_path / ".out.0123456789abcdef.coterie-work"
    monkeypatch.setitem(folders._folders, path, (os.getpid(), -1))
    monkeypatch.setattr("time.sleep", lambda _: path.mkdir(exist_ok=True))
    assert scratch.clear(settle=0.01)
    assert not names(tmp_path)


def test_what_dead_processes_left_is_swept_for_any_target(tmp_path, temporary):
    for place in (tmp_path, temporary):
        for name in ("out.csv", "other.csv"):
            (abandoned(place, name) / "original").write_text("x")
    with scratch.folder(tmp_path, "out.csv") as place:
        assert names(tmp_path) == [place.name]
        assert not names(temporary)


@pytest.mark.usefixtures("no_locks")
def test_without_locks_the_marker_decides(tmp_path):
    gone = abandoned(tmp_path, "out.csv")
    recycled = abandoned(tmp_path, "out.csv", replace(Owner.here(), pid=os.getppid(), started=1))
    container = abandoned(tmp_path, "out.csv", replace(dead(), namespace="pid:[1]"))
    restarted = abandoned(tmp_path, "out.csv", replace(dead(), boot="of yesterday"))
    far = abandoned(tmp_path, "out.csv", replace(dead(), boot="another", host="another"))
    parent = Owner.parse(owner_of(os.getppid()))
    alive = abandoned(tmp_path, "out.csv", parent)
    with scratch.folder(tmp_path, "out.csv"):
        pass
    left = {container, far, alive} if sys.platform == "linux" else {far, alive}
    assert {gone, recycled, restarted} & left == set()
    if sys.platform == "linux":
        assert names(tmp_path) == sorted(p.name for p in left)


@POSIX
def test_of_another_machine_only_the_same_target_is_swept(tmp_path):
    far = replace(dead(), boot="another", host="another")
    mine, others = abandoned(tmp_path, "out.csv", far), abandoned(tmp_path, "other.csv", far)
    with scratch.folder(tmp_path, "out.csv"):
        assert not mine.exists()
        assert others.exists()


@POSIX
def test_the_living_are_left_alone(tmp_path):
    """Another process holds its folder; as soon as it is killed, the folder is anybody's."""
    code = f"""
        import sys
        from coterie import scratch
        with scratch.folder({str(tmp_path)!r}, "out.csv") as place:
            (place / "original").write_text("x")
            print(place, flush=True)
            sys.stdin.read()
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    theirs = child.stdout.readline().strip()
    with scratch.folder(tmp_path, "out.csv"):
        assert os.path.exists(theirs)
    child.kill()
    child.wait()
    assert os.path.exists(theirs)
    with scratch.folder(tmp_path, "out.csv"):
        assert not os.path.exists(theirs)
    child.stdin.close()
    child.stdout.close()


@POSIX
def test_many_at_once_never_take_each_other_s(tmp_path):
    """Processes that make and sweep folders in one place; some end without removing theirs."""
    code = f"""
        import os, random, sys
        from coterie import scratch
        draw = random.Random(int(sys.argv[1]))
        for _ in range(400):
            with scratch.folder({str(tmp_path)!r}, "out") as place:
                (place / "file").write_text("x")
                if draw.random() < 0.002:
                    os._exit(9)
                assert sorted(os.listdir(place)) == ["file", "owner.json"]
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    several = [
        subprocess.Popen([*command, str(seed)], stderr=subprocess.PIPE, text=True)
        for seed in range(6)
    ]
    for process in several:
        said = process.communicate()[1]
        assert process.returncode in (0, 9), said
    scratch.sweep(tmp_path)
    assert not names(tmp_path)


@POSIX
def test_a_marker_goes_before_its_lock(tmp_path, monkeypatch):
    """Who waits for the lock, having just made the folder, must see that it was swept."""
    half = abandoned(tmp_path, "out.csv")
    (half / "owner.json").write_text("")
    waiting = os.open(half / "owner.json", os.O_RDWR)
    seen = []
    usual = folders._drop

    def drop(path):
        seen.append((folders.lock(waiting), os.fstat(waiting).st_nlink))
        usual(path)

    monkeypatch.setattr(folders, "_drop", drop)
    scratch.sweep(tmp_path, "out.csv")
    os.close(waiting)
    assert seen == [(True, 0)]


def test_nothing_else_is_touched(tmp_path, monkeypatch):
    owner = dead()
    plain = tmp_path / ".out.csv.0123456789abcdef.coterie-work"
    plain.write_text("a file")
    unmarked = tmp_path / ".out.csv.0123456789abcdee.coterie-work"
    unmarked.mkdir()
    (unmarked / "theirs").write_text("no marker")
    for name in (".out.csv.0123.coterie-work", "out.csv.0123456789abcdef.coterie-work", ".x"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "owner.json").write_bytes(owner.text())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("x")
    pointing = abandoned(tmp_path, "out.csv")
    (pointing / "elsewhere.json").write_text(json.dumps([str(elsewhere), 5, "relative"]))
    kept = set(names(tmp_path)) - {pointing.name}
    with scratch.folder(tmp_path, "out.csv"):
        pass
    assert set(names(tmp_path)) == kept
    assert (elsewhere / "precious").exists()
    if os.name == "posix":
        theirs = abandoned(tmp_path, "out.csv")
        link = tmp_path / ".out.csv.0123456789abcdaa.coterie-work"
        link.symlink_to(elsewhere)
        monkeypatch.setattr(os, "geteuid", lambda: -5)
        scratch.sweep(tmp_path, "out.csv")
        assert theirs.exists()
        assert link.exists()


def test_an_empty_folder_without_marker_is_swept(tmp_path):
    """Its process was killed before it could write one."""
    (tmp_path / ".out.csv.0123456789abcdef.coterie-work").mkdir()
    half = abandoned(tmp_path, "other.csv")
    (half / "owner.json").write_text("")
    with scratch.folder(tmp_path, "out.csv"):
        pass
    assert not names(tmp_path)


def test_a_name_that_is_taken_is_not_ours(tmp_path, monkeypatch):
    taken = tmp_path / f".out.csv.{'0' * 16}.coterie-work"
    taken.mkdir()
    (taken / "theirs").write_text("x")
    drawn = iter(["0" * 16, "1" * 16])
    monkeypatch.setattr(folders, "_drawn", lambda: next(drawn))
    with scratch.folder(tmp_path, "out.csv") as place:
        assert place != taken
    assert names(tmp_path) == [taken.name]


def test_what_lies_elsewhere_is_kept_in_mind_until_it_is_gone(tmp_path, monkeypatch):
    """A pointer outlives a sweep that could not remove what it points at."""
    far = tmp_path / "far"
    far.mkdir()
    other = abandoned(far, "out.csv")
    near = abandoned(tmp_path, "out.csv")
    (near / "elsewhere.json").write_text(json.dumps([str(other)]))
    with monkeypatch.context() as patch:
        patch.setattr(folders, "_emptied", lambda path: False)
        scratch.sweep(tmp_path, "out.csv")
    assert near.exists()
    scratch.sweep(tmp_path, "out.csv")
    assert not near.exists()
    assert not other.exists()


@POSIX
def test_a_fork_does_not_remove_its_parent_s(tmp_path):
    code = f"""
        import os
        from coterie import scratch
        with scratch.folder({str(tmp_path)!r}, "out.csv") as place:
            child = os.fork()
            if child:
                os.waitpid(child, 0)
                print(place.exists(), flush=True)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
    assert not names(tmp_path)


def test_long_names(tmp_path):
    for name in ("ä" * 120, "x" * 255):
        with scratch.folder(tmp_path, name) as place:
            assert len(place.name.encode()) < 200
    assert not names(tmp_path)


def test_a_place_that_is_none(tmp_path):
    with pytest.raises(OSError, match="No such file"), scratch.folder(tmp_path / "no", "x"):
        pass


def owner_of(pid):
    """The marker that a living process would write."""
    found = folders.Owner.here()
    from coterie.scratch import owner

    return replace(found, pid=pid, started=owner._began(pid) or 0).text()


def test_owners_are_told_apart():
    here = Owner.here()
    assert Owner.parse(here.text()) == here
    assert here.near
    assert dead().lives is False
    for broken in (b"", b"{", b"[]", b'{"pid": 1}', b'{"pid": "x", "started": 1}'):
        assert Owner.parse(broken) is None
    if sys.platform == "linux":
        assert here.lives is True
        assert replace(here, started=here.started + 1).lives is False
        assert replace(here, namespace="other").lives is None
        assert replace(here, boot="other").lives is False
        assert replace(here, boot="other", host="other").lives is None
        assert not replace(here, boot="other", host="other").near


def test_the_place_of_temporary_files_is_swept_once(tmp_path, monkeypatch, temporary):
    swept = []
    monkeypatch.setattr(folders, "sweep", lambda place, name=None: swept.append((place, name)))
    for _ in range(2):
        with scratch.folder(tmp_path, "t"):
            pass
    place = os.path.realpath(temporary)
    assert [os.fspath(one) for one, name in swept if name is None] == [place]
    other = tmp_path / "other"
    other.mkdir()
    with scratch.folder(tmp_path, "t"):  # another place, while address space is still reserved
        monkeypatch.setattr(tempfile, "tempdir", str(other))
        with scratch.folder(tmp_path, "u"):
            pass
    assert (other.resolve(), None) in swept


def test_memory_that_is_used_up_leaves_nothing_behind(tmp_path, monkeypatch):
    """Nothing can be listed until the address space that is kept for this is given back."""
    usual = os.listdir

    def listed(path):
        if folders._reserve:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        return usual(path)

    with scratch.folder(tmp_path, "t") as path:
        (path / "originals").write_text("secret")
        assert folders._reserve
        monkeypatch.setattr(os, "listdir", listed)
    assert not path.exists()
