"""Packages that a wheel needs, as they are installed here, and what they say of themselves."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LEGAL = re.compile(
    r"(?i)(.*[._-])?(licen[cs]es?|copying|notices?|third.?party.?notices?)([._-].*)?"
)
_CODE = {".py", ".pyc", ".pyi", ".pyx", ".json"}


def unpacked_metadata(wheel: Path, folder: Path) -> Distribution:
    """A wheel as a package that has only metadata, which are unpacked into a folder."""
    with ZipFile(wheel) as packed:
        names = [name for name in packed.namelist() if ".dist-info/" in name]
        packed.extractall(folder, names)
    (package,) = distributions(path=[str(folder)])
    return package


def needed(package: Distribution, extras: Iterable[str] = ()) -> dict[str, Distribution]:
    """All that a package needs with these extras on this system, itself left out, by name.

    Raises:
        PackageNotFoundError: something is not installed here.
        ValueError: another version is than the package asks for.
    """
    packages: dict[str, Distribution] = {}
    package_name = canonicalize_name(package.name)
    open_questions = [(package, extra) for extra in ("", *extras)]
    answered = set()
    while open_questions:
        asking, extra = open_questions.pop()
        if (asking.name, extra) in answered:
            continue
        answered.add((asking.name, extra))
        for requirement in _requirements(asking, extra):
            name = canonicalize_name(requirement.name)
            other = package if name == package_name else distribution(requirement.name)
            if not requirement.specifier.contains(other.version, prereleases=True):
                raise ValueError(f"{asking.name} needs {requirement}; here is {other.version}")
            if name != package_name:
                packages[name] = other
            open_questions += [(other, more) for more in ("", *requirement.extras)]
    return dict(sorted(packages.items()))


def _requirements(package: Distribution, extra: str) -> Iterator[Requirement]:
    for requirement in map(Requirement, package.requires or ()):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def metadata_folder(package: Distribution) -> Path:
    """The folder `NAME-VERSION.dist-info` of an installed package."""
    (place,) = (file for file in package.files or () if str(file).endswith(".dist-info/METADATA"))
    return Path(str(package.locate_file(place))).parent


def legal_texts(package: Distribution) -> dict[str, str]:
    """Licences and notices that a package brings, by file; the same text under a second name is left out."""
    texts: dict[str, str] = {}
    for file in sorted(package.files or (), key=str):
        named = any(map(_LEGAL.fullmatch, file.parts[:-1])) or _LEGAL.fullmatch(file.name)
        if named and file.suffix not in _CODE:
            path = Path(str(package.locate_file(file)))
            text = path.read_text(encoding="utf-8", errors="replace").strip()
            if text and text not in texts.values():
                texts[str(file)] = text
    return texts


def declared_licence(package: Distribution) -> str:
    """The licence in a package's own words: an expression, else a line, else its classifiers."""
    read = package.metadata.get_all
    classifiers = [
        one.rpartition(" :: ")[2]
        for one in read("Classifier") or ()
        if one.startswith("License :: ")
    ]
    (line,) = read("License") or ("",)
    (expression,) = read("License-Expression") or ("",)
    short = line.strip() if "\n" not in line.strip() else ""
    return expression or short or ", ".join(classifiers)
