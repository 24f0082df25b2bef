"""Settings of page layout."""

from __future__ import annotations

from dataclasses import dataclass, field

from dbce.model.config import (
    EXPERT,
    LARGEST,
    Limits,
    Setting,
    check_settings,
    default,
    digest_of,
    results_of,
)


@dataclass(frozen=True, slots=True)
class Rendering:
    """Settings of page layout (dbce.visual.render), and limits beyond which a page is rejected."""

    scripts: bool = default(False, Setting("run the pages' own scripts, offline"))
    width: int = default(  # the usual screen of the thesis' years
        1366, Setting("width of the window", unit="PIXELS", between=(100, 10_000))
    )
    height: int = default(
        768, Setting("height of the window", unit="PIXELS", between=(100, 10_000))
    )
    seconds: float = default(  # usual pages take less than one
        30.0, Setting("total time that a page may take", unit="SECONDS", between=(1, 3_600))
    )
    page_height: int = default(  # a picture of it takes 4 * 1366 * 30,000 bytes: 164 MB
        30_000, Setting("height that a page may have", unit="PIXELS", between=(100, 100_000))
    )
    requests: int = default(
        2_000,
        Setting("requests that a page and its frames may make", between=(1, 1_000_000)),
    )
    frames: int = default(
        100, Setting("frames that a page may have below itself", between=(0, 10_000))
    )
    memory: int = default(  # a usual page takes 400 MB, a picture of 20,000 x 20,000 pixels 2,400
        2_000,
        Setting(
            "memory that a browser with all its processes may take",
            "On Linux; for each of `--jobs`.",
            unit="MB",
            between=(500, 1_000_000),
            is_result=False,
        ),
    )
    pictures: bool = default(
        False,
        Setting(
            "take a picture of each page",
            "It is more than a third of the cost of a page, and .3 to .7 MB; `changes --mode image`, `label "
            "--blocks` and `evaluate-blocks --edges` need it.",
        ),
    )
    # As in Config, but smaller: a page costs half a second and not a hundredth.
    split_bytes: int = default(
        1 << 25,
        Setting(
            "size of the pieces of a file, each with outputs of its own; 0: never cut",
            unit="BYTES",
            group=EXPERT,
            between=(0, LARGEST),
        ),
    )
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check_settings(self)

    def optional_outputs(self) -> tuple[str, ...]:
        """Optional outputs; none by default."""
        return ()

    def digest(self) -> str:
        """Twelve hexadecimal digits that tell two configurations apart."""
        values = results_of(self)
        if self.pictures:  # as renderings always had them: their digest stays
            del values["pictures"]
        return digest_of(values)
