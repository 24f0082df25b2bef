"""Formulas stand in their sentences, as TeX where the page has it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.formats.markdown import as_markdown
from dbce.formats.write import as_html
from tests.formats.build import blocks, extract_soup

MATHML = (
    "<math display=inline><semantics><mrow>\n<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>"
    "\n</mrow>{}</semantics>\n</math>"
)
ANNOTATED = MATHML.format("<annotation encoding='application/x-tex'>E = mc^2</annotation>")
KATEX = (
    f"<span class=katex><span class=katex-mathml>{ANNOTATED}</span><span class=katex-html aria-hidden=true>"
    "<span class=base><span class=mord>E</span>=<span>mc</span><span class=vlist>2</span></span></span></span>"
)
SOURCE = "<script type='math/tex'>E = mc^2</script>"
MATHJAX = f"<span class=MathJax_Preview></span><span class=MathJax><nobr><span class=math>E=mc2</span></nobr></span>{SOURCE}"
WIKIPEDIA = (
    "<span class=mwe-math-element><span class='mwe-math-mathml-inline' style='display: none'>"
    "<math alttext='{\\displaystyle E = mc^2}'><mi>E</mi></math></span><img src=x.svg "
    "class=mwe-math-fallback-image-inline alt='{\\displaystyle E = mc^2}'></span>"
)


def markdown(body: str, *, images: bool = False) -> str:
    return as_markdown(blocks(body, images=images))


@pytest.mark.parametrize(
    "formula",
    [
        *(ANNOTATED, KATEX, SOURCE, MATHJAX, WIKIPEDIA),
        "<math alttext='E = mc^2'><mi>E</mi></math>",
        "<img class=tex alt='E = mc^2'>",
        "<img class=tex alt='$E = mc^2$'>",
        f"<mjx-container class=MathJax><mjx-math>E</mjx-math>{ANNOTATED}</mjx-container>",
        "<span data-math='E = mc^2'>E = mc2</span>",
        "<img data-tex='E = mc^2' alt='a formula'>",
        "<img class=equation_image data-equation-content='E = mc^2' alt='LaTeX: E = mc^2'>",
        "<math-renderer class=js-inline-math>$E = mc^2$</math-renderer>",
        "<code class='code math js-render-math' data-math-style=inline>E = mc^2</code>",
        "<img src='https://latex.codecogs.com/svg.image?\\inline&space;E&space;=&space;mc^2'>",
        "<img src='https://s0.wp.com/latex.php?bg=fff&latex=E+%3D+mc%5E2&fg=000'>",
        "<img src='/formula/%5Cdpi%7B300%7DE%20=%20mc%5E2'>",
        "<img src='//chart.googleapis.com/chart?cht=tx&chl=E%20=%20mc^2'>",
        *("$E = mc^2$", r"\(E = mc^2\)", "<d-math>E = mc^2</d-math>", "<img alt='$E = mc^2$'>"),
        *("<span class='math inline'>E = mc^2</span>", "<img class=formulaInl alt='$E = mc^2$'>"),
    ],
)
@pytest.mark.parametrize("images", [True, False])
def test_a_formula_stands_in_its_sentence_as_tex(formula, images):
    body = f"<p>So <b>we</b> have {formula}, <i>where</i> {formula} is known.</p><p>Next</p>"
    assert markdown(body, images=images) == (
        "So **we** have $E = mc^2$, *where* $E = mc^2$ is known.\n\nNext"
    )


@pytest.mark.parametrize(
    "formula",
    [
        f"<span class=katex-display>{KATEX}</span>",
        ANNOTATED.replace("inline", "block"),
        SOURCE.replace("tex'", "tex; mode=display'"),
        "<img class=mwe-math-fallback-image-display alt='E = mc^2'>",
        *("<div class=math-block data-math='E = mc^2'>E</div>", "<d-math block>E = mc^2</d-math>"),
        "<pre class=js-render-math data-math-style=display>E = mc^2</pre>",
    ],
)
def test_a_displayed_formula_has_a_line_of_its_own(formula):
    assert markdown(f"<p>We have {formula} since</p>") == "We have\n\n$$E = mc^2$$\n\nsince"


@pytest.mark.parametrize(
    ("mathml", "line"),
    [
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E=mc^2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"),
        ("<msqrt><mi>x</mi></msqrt><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup>", "√xa_1^2"),
        ("<mfrac><mi>a</mi></mfrac><msup></msup>", "a"),
    ],
)
def test_a_formula_without_tex_is_a_line_that_can_be_read(mathml, line):
    stored = f"<math>{mathml}</math>".translate(str.maketrans("<>", "«»"))
    image = f"<img class=Wirisformula data-mathml='{stored}' alt=speech>"
    for formula in (f"<math>{mathml}</math>", image):
        assert as_html(blocks(f"<p>So {formula}.</p>")) == f"<p>So {line}.</p>"


def sign(character: str) -> str:
    return f"<mjx-c class='mjx-c{ord(character):X} TEX-I'></mjx-c>"


X, ONE, ROOT = map(sign, "\N{MATHEMATICAL ITALIC SMALL X}1√")
FRACTION = f"<mjx-mfrac><mjx-frac><mjx-num>{ONE}</mjx-num><mjx-dbox><mjx-den>{X}</mjx-den></mjx-dbox></mjx-frac></mjx-mfrac>"
SCRIPTS = f"<mjx-script>{ONE}<mjx-spacer></mjx-spacer>{X}</mjx-script>"


@pytest.mark.parametrize(
    ("signs", "line"),
    [
        (X + sign("=") + FRACTION, "x=1/x"),
        (f"<mjx-msup>{X}<mjx-script>{ONE}</mjx-script></mjx-msup>", "x^1"),
        (f"<mjx-msubsup>{X}{SCRIPTS}</mjx-msubsup>", "x_x^1"),
        (f"<mjx-msqrt><mjx-sqrt><mjx-surd>{ROOT}</mjx-surd><mjx-box>{X}{ONE}</mjx-box></mjx-sqrt></mjx-msqrt>", "√x1"),
        (("<svg><g data-mml-node=msup><g data-mml-node=mi><use data-c=1D465></use></g><g data-mml-node=mn><path data-c=32></path></g></g></svg>"), "x^2"),
    ],
)  # fmt: skip
def test_signs_that_only_names_tell_are_read(signs, line):
    formula = f"<mjx-container class=MathJax>{signs}</mjx-container>"
    assert markdown(f"<p>So {formula} is.</p>") == f"So {line} is."
    block = formula.replace("<mjx-container ", "<mjx-container display=true ")
    assert markdown(f"<s>It is</s>{block}<p>then</p>") == f"{line}\n\nthen"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It is $$a_i * b_j$$ or $n$", "It is $$a_i * b_j$$ or $n$"),
        (r"So \[F_{a} = b_{c}\]", "So $$F_{a} = b_{c}$$"),
        (r"So \begin{align}a_1 &= b_2\end{align}", r"So $$\begin{align}a_1 &= b_2\end{align}$$"),
        ("It costs $100 or $200, $5-$10, A$5_ and CA$6", r"It costs $100 or $200, $5-$10, A$5\_ and CA$6"),
        ("$$ to $$$<br>a head", "$$ to $$$\\\na head"),
        (r"So \[<br>F_{a}<br>= b_{c}<br>\]<br>is", "So $$F_{a} = b_{c}$$\\\nis"),
        ("<code>$a_i$ b</code>", "`$a_i$ b`"),
    ],
)  # fmt: skip
def test_tex_in_a_text_is_written_as_it_stands_and_money_is_none(text, written):
    assert markdown(f"<p>{text}</p>") == written


@pytest.mark.parametrize(
    ("body", "written"),
    [
        # Formulas follow each other, and begin and end lines.
        (f"<p>{KATEX} {KATEX}</p><li>{SOURCE} is a</li>", "$E = mc^2$ $E = mc^2$\n\n- $E = mc^2$ is a"),
        # A dollar beside one begins none.
        (f"<p>For $5 or {KATEX}</p><p>For $5</p>", "For \\$5 or $E = mc^2$\n\nFor $5"),
        # One of boilerplate is none of the content.
        (f"<s>Menu {SOURCE} <img class=tex alt=x></s><p>One</p>", "One"),
        # A source within one is no other.
        (f"<p>So <span class=katex>{ANNOTATED}{SOURCE}</span> is</p>", "So $E = mc^2$ is"),
    ],
)  # fmt: skip
def test_each_formula_of_the_content_is_written_once_beside_what_surrounds_it(body, written):
    assert markdown(body) == written


def test_formulas_in_html_are_as_their_programs_look_for_them():
    assert as_html(blocks(f"<p>So {KATEX}.</p>")) == r"<p>So \(E = mc^2\).</p>"
    display = KATEX.replace("inline", "block").replace("mc^2", "m &lt; c")
    assert as_html(blocks(f"<p>So <span class=katex-display>{display}</span></p>")) == (
        "<p>So</p>\n<p>\\[E = m &lt; c\\]</p>"
    )


@pytest.mark.parametrize(
    "formula",
    [
        "<math><mi>x</mi><p>One</p><p>two</p></math>",
        f"<math alttext='{'x' * 20_000}'>One two</math>",
    ],
)
def test_what_is_too_much_for_a_formula_is_text(formula):
    assert as_html(blocks(f"<div>{formula}</div>")).count("One") == 1
    assert "$" not in markdown(f"<div>{formula}</div>")


def test_many_formulas_of_one_sentence_and_within_each_other_are_held():
    formula = "<span class=katex><math alttext='x'><mi>x</mi></math></span>"
    assert markdown(f"<p>So {f'{formula} and ' * 2_000}<p>").count("$x$ and") == 2_000
    nested = "<span class=katex>" * 200 + "<math alttext='x'>" + "<mi>y</mi>" * 2_000
    assert markdown(f"<p>So {nested}") == "So $x$"
    assert markdown(f"<p>So {nested}<div>end</div>").count("y") == 2_000
    assert markdown(f"<p>So <math>{'<msqrt>' * 300}<mi>x</mi></math></p>").count("x") == 1


tags = st.sampled_from(
    "<math> </math> <msup> </msup> <mfrac> </mi> <mi> <semantics> <p> </p> </annotation> </script> <b> </b> "
    "<script|type=math/tex> <span|class=katex> <span|class=MathJax> </span> <annotation|encoding=TeX> "
    "<img|class=tex|alt=y> <br> <!--|c|--> <li> </li> <pre> </pre> <mjx-container|display=true> "
    "<table><tr><td> a |b|".split()
).map(lambda tag: tag.replace("|", " "))


@settings(max_examples=200)
@given(st.lists(tags, max_size=25).map("".join))
def test_broken_formulas_are_no_fault(body):
    parts = extract_soup(body, images=True).blocks
    assert "<script" not in as_html(parts)
    assert as_markdown(parts).strip() or not parts
