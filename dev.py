"""Develop coterie with one command: python3 dev.py COMMAND [ARGUMENTS].

Only the standard library is needed. The first command makes `.venv` in this folder, installs the
project (editable) at the versions of constraints.txt, and leaves a stamp; as long as the stamp
matches, the next command starts at once.

This file must parse on any Python, so that an old one is told what is missing instead of failing
with a SyntaxError: no f-strings, no annotations, no unpacking in lists.
"""

import sys

if sys.version_info < (3, 11):
    message = "dev.py: coterie needs Python 3.11 or newer, {} is {}. Name a newer one: "
    message += "`python3.12 dev.py ...` or `make PYTHON=python3.12 ...`."
    sys.exit(message.format(sys.executable, sys.version.split()[0]))

import ast
import compileall
import contextlib
import difflib
import hashlib
import importlib.util
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "coterie-stamp.json"
LOCK = ROOT / ".venv.lock"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "constraints.txt"
SOURCE = ROOT / "src" / "coterie"
KERNELS = SOURCE / "kernels"
BENCHMARKS = ROOT / "benchmarks"
DIST = ROOT / "dist"
EXTRAS = "test,lint,datasets"
# What is tried with the oldest dependencies: all that computes, reads and writes.
CORE = "kernels partitioning centroids evaluation space plan table pipeline/test_anonymize.py"
NEVER_IMPORTED = r"[\\/](tests|mypy|pip)[\\/]"  # by us; mypy is machine code
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CACHES_KEPT = 4  # compiled kernels of this many states of their source


class Failure(Exception):
    """What went wrong and the remedy, in one line."""


def fingerprint():
    """What the environment is made from; a difference means that it is out of date."""
    digest = hashlib.sha256((EXTRAS + NEVER_IMPORTED).encode())
    for path in (ROOT / "pyproject.toml", CONSTRAINTS):
        digest.update(path.read_bytes())
    # The folder is part of it: an editable install knows where it was made.
    return {"python": sys.version, "root": str(ROOT), "files": digest.hexdigest()}


def stamped(stamp=STAMP):
    """The fingerprint of a finished installation; empty where there is none."""
    try:
        return json.loads(stamp.read_text(encoding="utf-8")) if PYTHON.exists() else {}
    except (OSError, ValueError):
        return {}


def ensure_environment():
    """Make or renew `.venv` unless it is up to date."""
    wanted = fingerprint()
    if stamped() == wanted:
        return
    with locked():
        found = stamped()  # again: another process may have finished it meanwhile
        if found == wanted:
            return
        if dict(found, files=wanted["files"]) == wanted:
            STAMP.unlink()  # until it is installed anew, it counts as half-made
        else:
            make_venv()
        install(EXTRAS, "coterie and its tools")
        leave_stamp(STAMP, wanted)


def ensure_extra(name):
    """Add an extra that few commands need, once for each state of the environment."""
    ensure_environment()
    stamp = VENV / "coterie-stamp-{}.json".format(name)
    if stamped(stamp) == fingerprint():
        return
    with locked():
        if stamped(stamp) != fingerprint():
            install(name, "what `{}` needs".format(name))
            leave_stamp(stamp, fingerprint())


def leave_stamp(stamp, wanted):
    """Say that an installation is finished, whole or not at all."""
    partial = stamp.with_suffix(".partial")
    partial.write_text(json.dumps(wanted), encoding="utf-8")
    partial.replace(stamp)


def make_venv():
    """Make an empty `.venv` with pip, in place of a half-made or outdated one."""
    remedy = "Run `sudo apt install python{}.{}-venv`, or install Python from python.org."
    remedy = remedy.format(*sys.version_info)
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise Failure("{} has no `{}`. {}".format(sys.executable, module, remedy))
    if VENV.exists():
        with stage("removing a half-made or outdated .venv"):
            shutil.rmtree(VENV)
    # Inside a virtual environment, perhaps the one just removed, the interpreter beneath it counts.
    base = getattr(sys, "_base_executable", None) or sys.executable
    with stage("making .venv with Python {}".format(sys.version.split()[0])):
        quietly([base, "-m", "venv", str(VENV)], remedy)
        quietly([str(PYTHON), "-m", "pip", "--version"], "pip is missing. " + remedy)


def install(extras, what):
    """Install the build backend, then the project with extras, at the pinned versions."""
    # Compiled afterwards, by all cores.
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--no-input", "--no-compile"]
    pip += ["--disable-pip-version-check", "--constraint", str(CONSTRAINTS)]
    remedy = "See the messages above; a lost connection is repaired by running it again."
    with stage("installing " + what):
        # pyspark comes as source only, and is built with what is here.
        quietly(pip + ["hatchling", "editables", "setuptools"], remedy)
        quietly(pip + ["--no-build-isolation", "--editable", ".[{}]".format(extras)], remedy)
    with stage("compiling it"):
        compile_folders(VENV.rglob("site-packages"))


def compile_folders(folders):
    """Make the bytecode of Python files, in parallel; what is up to date is left alone.

    Where PYTHONDONTWRITEBYTECODE is set, as in most container images, no program keeps any: every
    start would compile a thousand modules anew.
    """
    command = [str(PYTHON), "-m", "compileall", "-qq", "-j", "0", "-x", NEVER_IMPORTED]
    command += [str(folder) for folder in folders]
    # A file that cannot be compiled (a template, another Python's) is none that is imported.
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def lock(handle):
    """Take the lock on an open file, or fail at once."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked():
    """Let one process at a time change the environment; the system frees a dead one's lock."""
    with LOCK.open("a+b") as handle:  # closing it releases the lock
        for attempt in itertools.count():
            try:
                lock(handle)
                break
            except (BlockingIOError, PermissionError):
                if attempt == 0:
                    say("waiting for another dev.py to finish the environment\n")
                time.sleep(0.5)
        yield


def kernel_cache(folder=VENV):
    """The folder for compiled kernels in an environment, one per state of their source.

    Numba's cache does not notice that a function called from another file has changed, so the
    folder is named by a hash of them all. The most recently used ones are kept.
    """
    digest = hashlib.sha256()
    for path in sorted(KERNELS.rglob("*.py")):
        digest.update("\0{}\0".format(path.relative_to(KERNELS).as_posix()).encode())
        digest.update(path.read_bytes())
    current = folder / "numba-cache" / digest.hexdigest()[:16]
    current.mkdir(parents=True, exist_ok=True)
    os.utime(current)
    for stale in sorted(current.parent.iterdir(), key=os.path.getmtime)[:-CACHES_KEPT]:
        shutil.rmtree(stale, ignore_errors=True)
    return current


def say(message):
    """Tell about the progress, apart from the output of what is run."""
    sys.stderr.write("dev.py: " + message)
    sys.stderr.flush()


@contextlib.contextmanager
def stage(title):
    """Announce a stage and, on the same line, the seconds that it took."""
    start = time.monotonic()
    outcome = "stopped"
    say(title + " ... ")
    try:
        yield
        outcome = "{:.1f} s".format(time.monotonic() - start)
    finally:
        sys.stderr.write(outcome + "\n")


def quietly(command, remedy):
    """Run a command whose output matters only if it fails."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.stderr.write("\n" + done.stdout.decode(errors="replace"))
        if shutil.disk_usage(ROOT).free < 2**26:
            remedy = "The disk is full: free about 1.5 GB."
        raise Failure("`{}` failed. {}".format(" ".join(command), remedy))


def run(*arguments, **variables):
    """Run `python ARGUMENTS` in the environment, made if need be; give its exit code."""
    ensure_environment()
    # Our own files change: those whose bytecode is stale are compiled again, in this process, which
    # is of the environment's version.
    compileall.compile_dir(str(SOURCE), quiet=2)
    return run_with(PYTHON, arguments, variables)


def run_with(python, arguments, variables, cache=None):
    """Run `python ARGUMENTS` with a Python that is there; give its exit code."""
    cache = cache or kernel_cache(Path(python).parent.parent)
    env = dict(os.environ, NUMBA_CACHE_DIR=str(cache), **variables)
    child = subprocess.Popen([str(python)] + list(arguments), cwd=ROOT, env=env)
    try:
        code = child.wait()
    except KeyboardInterrupt:
        # The terminal has interrupted the child as well: let it report, but not for ever.
        for end in (child.poll, child.terminate, child.kill):
            end()
            with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                child.wait(timeout=5)
                break
        raise
    return code if code >= 0 else 128 - code  # ended by a signal: as a shell tells it


def environment(*arguments):
    """Make or renew .venv, as every command does by itself; ARGUMENTS: more of docs, spark ..."""
    needs = {"browser": (ensure_browser,), "spark": (java,), "docs": (), "package": ()}
    for name in arguments:
        known(name, needs, "extra of a command")
    ensure_environment()
    missed = []
    for name in arguments:
        try:
            for ensure in needs[name]:
                ensure()
            ensure_extra(name)
        except Failure as failure:  # the others are of use without it
            missed.append("{}: {}".format(name, failure))
    if missed:
        raise Failure(" ".join(missed))
    return 0


def demo(*arguments):
    """Protect a small table, write it and its reports to demo/."""
    return run("-m", "coterie.cli.demonstration", *arguments)


def test(*arguments, **variables):
    """Run the tests but the long ones; ARGUMENTS go to pytest."""
    if os.environ.get("CI"):
        variables["HYPOTHESIS_PROFILE"] = os.environ.get("HYPOTHESIS_PROFILE", "ci")
    single = ("-n", "--numprocesses", "--dist", "--pdb", "--trace", "--co", "-h", "--help")
    if not any(argument.startswith(single) for argument in arguments):
        arguments = shared_out() + arguments
    # What pytest makes of a test's file is kept, whatever the container says: to make all of it
    # anew takes as long as to collect the tests.
    return run("-m", "pytest", *arguments, PYTHONDONTWRITEBYTECODE="", **variables)


def shared_out():
    """Files of tests over two processes, in conftest.py's order: not those of most tests first."""
    count = str(min(2, os.cpu_count() or 1))
    return ("-n", count, "--dist", "loadfile", "--no-loadscope-reorder")


def test_slow(*arguments):
    """Run the long checks alone."""
    return test("-m", "slow", *arguments)


def test_long(*arguments):
    """Run what the default run leaves out for its time and a change is judged by all the same."""
    return test("-m", "long and not slow", *arguments)


def test_data(*arguments):
    """Run the tests on the reference data alone; COTERIE_DATA names their folder."""
    return test("-m", "data and not slow", *arguments)


def test_nojit(*arguments):
    """Run small cases with the JIT off: the kernels as plain Python."""
    return test("-n0", "-m", "nojit", *arguments, NUMBA_DISABLE_JIT="1")


def test_spark(*arguments):
    """Run the tests on Spark alone; Java is installed where it is missing and root may do so."""
    java()
    ensure_environment()
    ensure_extra("spark")
    which = ("tests/pipeline/test_spark.py", "tests/pipeline/test_spark_plans.py")
    return test("-n0", "-m", "", *which, *arguments)


def java():
    """Make sure that Spark finds a Java, with the system's package manager."""
    if shutil.which("java") or os.environ.get("JAVA_HOME"):
        return
    remedy = "Install Java 17 or newer, for example `sudo apt install openjdk-17-jre-headless`."
    if not shutil.which("apt-get") or getattr(os, "geteuid", lambda: 1)():
        raise Failure("Spark needs Java, which is not installed. " + remedy)
    with stage("installing Java"):
        quietly(["apt-get", "update", "-qq"], remedy)
        install = ["apt-get", "install", "-qq", "--no-install-recommends", "default-jre-headless"]
        quietly(install, remedy)


def test_browser(*arguments):
    """Run the tests of the app in Chromium, which is installed where it can be."""
    ensure_browser()
    ensure_extra("browser")
    return test("-n0", "-m", "browser", "tests/app", *arguments)


def ensure_browser():
    """Install Debian's Chromium where there is none; elsewhere the tests say what is missing."""
    if os.environ.get("COTERIE_CHROMIUM") or any(map(shutil.which, BROWSERS)):
        return
    if shutil.which("apt-get") is None:
        say("no Chromium: install it, or let COTERIE_CHROMIUM name one; the tests are skipped\n")
        return
    root = [] if os.name == "posix" and os.geteuid() == 0 else ["sudo", "-n"]
    command = root + ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
    with stage("installing Chromium"):
        if subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).returncode:
            quietly(root + ["apt-get", "update"], "Install Chromium by hand.")
            quietly(command, "Install Chromium by hand.")


def lint(*arguments):
    """Run ruff, the format check and mypy; ARGUMENTS go to `ruff check`."""
    code = run("-m", "ruff", "check", "--quiet", *arguments)
    code = run("-m", "ruff", "format", "--check", "--quiet") or code
    return run("-m", "mypy") or code


def tidy(*arguments):
    """Sort the imports and format the code."""
    code = run("-m", "ruff", "check", "--select", "I", "--fix", "--quiet", *arguments)
    return run("-m", "ruff", "format", *arguments) or code


def bench(*arguments):
    """List the benchmarks, or run one by its name."""
    found = {}
    for path in sorted(BENCHMARKS.rglob("*.py")):
        parts = path.relative_to(BENCHMARKS).with_suffix("").parts
        if parts[-1] == "__main__":  # a folder that runs all of its own
            parts = parts[:-1]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
            found[".".join(parts)] = (ast.get_docstring(tree) or "").split("\n")[0]
    if arguments:
        # The last part of a name will do: `bench p3m` runs papers/p3m.py.
        short = {name.rpartition(".")[2]: name for name in reversed(list(found))}
        wanted = arguments[0].replace("/", ".")
        name = known(wanted if wanted in found else short.get(wanted, wanted), found, "benchmark")
        return run("-m", "benchmarks." + name, *arguments[1:])
    for name, summary in found.items():
        print("{:<24} {}".format(name, summary))
    return 0


def faults(*arguments):
    """End jobs by signals and limits: torn files, originals left behind; ARGUMENTS: --help."""
    return run("-m", "tests.faults", *arguments)


def fuzz(*arguments):
    """Try random tables: --seconds 600 --seed 1, or --case FILE."""
    return run("-m", "tests.fuzz", *arguments)


def mutants(*arguments):
    """List small changes of a room's source that no test notices: ROOM [--published]."""
    return run("-m", "tests.mutants", *arguments)


def attack(*arguments):
    """Attack public reports of random tables: --tables 300 --seed 1."""
    return run("-m", "tests.report.attack", *arguments)


def docs(*arguments):
    """Build the documentation into site/; ARGUMENTS go to `mkdocs build`."""
    ensure_extra("docs")
    code = run("-m", "mkdocs", "build", "--strict", *arguments, NO_MKDOCS_2_WARNING="1")
    if code == 0:
        say("open {}\n".format(ROOT / "site" / "index.html"))
    return code


def wheel(*arguments):
    """Build dist/, install the wheel where nothing else of ours is, and use it there."""
    none("wheel", arguments)
    ensure_extra("package")
    shutil.rmtree(DIST, ignore_errors=True)
    with stage("building the source distribution, and a wheel from it"):
        quietly([str(PYTHON), "-m", "build", "--no-isolation"], "See the messages above.")
    built = str(next(DIST.glob("*.whl")))
    with beside("wheel") as python, tempfile.TemporaryDirectory() as folder:
        check = [python, "-I", str(ROOT / ".ci" / "installed.py")]
        with stage("installing the wheel and what it requires"):
            quietly(pip(python) + [built], LOST)
        with stage("the demonstration, and a command for each format"):
            alone(check, folder)
        with stage("mypy --strict of a user's program"):
            mypy = [str(PYTHON), "-m", "mypy", "--strict", "--config-file=", "--cache-dir=mypy"]
            mypy += ["--python-executable", python, str(ROOT / ".ci" / "user_program.py")]
            alone(mypy, folder)
        with stage("the same with the extra formats"):
            quietly(pip(python) + [built + "[formats]"], LOST)
            alone(check + ["EXTRA"], folder)
    return 0


def oldest(*arguments):
    """Run the core tests with the oldest dependencies allowed; ARGUMENTS go to pytest."""
    ensure_environment()
    least, pins = bounds()
    version = "{}.{}".format(*sys.version_info)
    base = sys.executable if version == least else shutil.which("python" + least)
    if base is None:
        raise Failure("the oldest versions need Python {}. Install it.".format(least))
    tools = ["pytest", "pytest-xdist", "hypothesis", "hatchling", "editables"]
    with beside("oldest", base) as python:
        with stage("installing " + " ".join(pins)):
            # No source is compiled: a bound without a wheel is none that a user can rely on. What
            # the dependencies need themselves is the newest that they allow.
            quietly(pip(python, pinned=False) + ["--only-binary", ":all:"] + pins, LOST)
            quietly(pip(python) + tools, LOST)
            quietly(pip(python) + ["--no-deps", "--no-build-isolation", "-e", "."], LOST)
        words = list(shared_out() + ("-W", "default") + arguments)
        words += ["tests/" + name for name in CORE.split()]
        # An old version fails at any example or at none: few will do. What was compiled is kept.
        variables = {"HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "few")}
        cache = kernel_cache(VENV / "oldest")
        return run_with(python, ["-m", "pytest"] + words, variables, cache)


def bounds():
    """The oldest Python, and the oldest version of each dependency that is no tool of ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in ("datasets", "formats"):
        wanted += project["optional-dependencies"][extra]
    wanted += [line for line in project["optional-dependencies"]["test"] if "polars" in line]
    return project["requires-python"].lstrip(">="), [line.replace(">=", "==") for line in wanted]


@contextlib.contextmanager
def beside(name, base=None):
    """An environment of its own for one command, empty, and gone afterwards; gives its Python."""
    folder = VENV.with_name(".venv-" + name)
    shutil.rmtree(folder, ignore_errors=True)
    base = base or getattr(sys, "_base_executable", None) or sys.executable
    try:
        quietly([base, "-m", "venv", str(folder)], "See the messages above.")
        yield str(folder / PYTHON.relative_to(VENV))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


LOST = "See the messages above; a lost connection is repaired by running it again."


def pip(python, pinned=True):
    """The command that installs, at the pinned versions unless the caller names others."""
    command = [python, "-m", "pip", "install", "-qq", "--no-input", "--no-compile"]
    command += ["--disable-pip-version-check"]
    return command + ["--constraint", str(CONSTRAINTS)] if pinned else command


def alone(command, folder):
    """Run a command in another folder, with nothing of this environment, and tell what it says."""
    env = {name: os.environ[name] for name in os.environ if not name.startswith("PYTHON")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, cwd=folder, env=env, **pipes)
    told = done.stdout.decode(errors="replace").strip()
    if done.returncode:
        sys.stderr.write("\n" + told + "\n")
        raise Failure("`{}` failed. See the messages above.".format(" ".join(command)))
    sys.stderr.write("[" + told.splitlines()[-1] + "] ")


def none(command, arguments):
    """Refuse arguments where there are none."""
    if arguments:
        raise Failure("{} takes no arguments, got '{}'".format(command, arguments[0]))


def clean(*arguments):
    """Remove .venv and every cache."""
    none("clean", arguments)
    caches = (".pytest_cache", ".ruff_cache", ".mypy_cache", ".hypothesis", "build", "dist", "site")
    doomed = [path for path in [VENV] + [ROOT / name for name in caches] if path.exists()]
    for folder in ("src", "tests", "benchmarks"):
        doomed.extend((ROOT / folder).rglob("__pycache__"))
    for path in doomed:
        shutil.rmtree(path)
    return 0


COMMANDS = {"environment": environment, "demo": demo, "test": test, "test-data": test_data}
COMMANDS.update({"test-slow": test_slow, "test-nojit": test_nojit, "test-spark": test_spark})
COMMANDS.update({"test-browser": test_browser, "test-long": test_long})
COMMANDS.update({"wheel": wheel, "oldest": oldest})
COMMANDS.update({"lint": lint, "format": tidy, "bench": bench, "docs": docs, "clean": clean})
COMMANDS.update({"fuzz": fuzz, "faults": faults, "attack": attack, "mutants": mutants})


def known(word, words, kind):
    """The word itself if it is one of the words, else an error with the nearest of them."""
    if word in words:
        return word
    close = difflib.get_close_matches(word, words, n=1)
    hint = "Did you mean '{}'?".format(close[0]) if close else "Known: " + ", ".join(words)
    raise Failure("no {} '{}'. {}".format(kind, word, hint))


def main(arguments):
    """Run one command and give its exit code."""
    if arguments and arguments[0] not in ("-h", "--help"):
        return COMMANDS[known(arguments[0], COMMANDS, "command")](*arguments[1:])
    print("usage: python3 dev.py COMMAND [ARGUMENTS]\n")
    for name, command in COMMANDS.items():
        print("  {:<12} {}".format(name, command.__doc__))
    return 0


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
    except (Failure, OSError) as error:  # OSError: a read-only folder, a full disk
        say("{}\n".format(error))
        status = 1
    except KeyboardInterrupt:
        say("interrupted\n")
        status = 130
    sys.exit(status)
