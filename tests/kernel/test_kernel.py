"""dbce needs its compiled part, and says how to come by it."""

from tests.runs import in_python

MISSING = "import sys; sys.modules['dbce.kernel.compiled'] = None; "
SENTENCE = (
    "the compiled part of dbce is not built for this Python; `pip install -e .` in the checkout"
)


def test_without_the_compiled_part_a_command_says_how_to_build_it(tmp_path):
    (tmp_path / "page.html").write_text("<p>The ferry")
    code = f"{MISSING}from dbce.cli import main; sys.exit(main(['text', 'page.html']))"
    told = in_python(code, tmp_path)
    assert told.returncode == 1
    assert told.stderr.startswith(f"dbce: ImportError: {SENTENCE}")
    assert told.stderr.count("\n") == 1


def test_without_the_compiled_part_the_api_says_how_to_build_it(tmp_path):
    told = in_python(f"{MISSING}import dbce; dbce.extract('<p>The ferry')", tmp_path)
    assert told.stderr.splitlines()[-1].startswith(f"ImportError: {SENTENCE}")
