"""A page 200 x 400, visible 200, in four blocks by people and in five by an algorithm."""

from dbce.visual import Rect
from dbce.visual.measure.measures import ND, Atoms, Flat, NormalBlock, atoms, importances, normalise

SIZE = (200, 400)
VISIBLE = 200

# Box, words, characters.
TEXTS = [
    (Rect(10, 10, 100, 20), 4, 20),
    *((Rect(5, 50 + 20 * k, 40, 15), 2, 10) for k in range(5)),
    *((Rect(60, 50 + 70 * k, 130, 60), 25, 125) for k in range(4)),
    *((Rect(x, 370, 80, 20), 3, 15) for x in (10, 110)),
]
HEADER, NAV, MAIN, FOOTER = (
    Rect(0, 0, 200, 40),
    Rect(0, 40, 50, 320),
    Rect(50, 40, 150, 320),
    Rect(0, 360, 200, 40),
)
HALVES = (Rect(0, 360, 100, 40), Rect(100, 360, 100, 40))
ELEMENTS = [HEADER, NAV, MAIN, *HALVES, *(box for box, _, _ in TEXTS)]

GOLD = (HEADER, NAV, MAIN, FOOTER)
COMPUTED = (HEADER, Rect(0, 40, 200, 320), *HALVES, Rect(20, 30, 60, 20))


def counted(rect: Rect) -> NormalBlock:
    """A block with the elements and words that have their centre in it."""
    elements = sum(_centre_is_in(rect, box) for box in ELEMENTS)
    words = sum(words for box, words, _ in TEXTS if _centre_is_in(rect, box))
    return normalise(rect, SIZE, elements, words)


def flat(rects: tuple[Rect, ...], algorithm: str = "gold") -> Flat:
    blocks = tuple(map(counted, rects))
    words = sum(words for _, words, _ in TEXTS)
    return Flat(algorithm, SIZE, words, blocks, importances(blocks, VISIBLE / SIZE[1]))


def texts() -> Atoms:
    """The texts, by their characters."""
    return atoms([(*_centre(box), characters) for box, _, characters in TEXTS])


def elements() -> Atoms:
    return atoms([(*_centre(box), 1) for box in ELEMENTS])


def _centre(box: Rect) -> tuple[float, float]:
    return (box.x + box.w / 2) * ND / SIZE[0], (box.y + box.h / 2) * ND / SIZE[1]


def _centre_is_in(rect: Rect, box: Rect) -> bool:
    x, y = box.x + box.w / 2 - rect.x, box.y + box.h / 2 - rect.y
    return 0 <= x <= rect.w and 0 <= y <= rect.h
