#!/usr/bin/python3
"""Builds the manual as one site: docs/ and the pages beside it -> FOLDER/html. Called by ./dev docs.

Pages are staged, not written: their links stay those that work where the source is read. What a page links to outside of
docs/ becomes a page of the site, or, if it is a file of the source, its name.
"""

import html
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

# Pages that do not lie in docs/, by their place in the site.
BESIDE = {"readme.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md",
          "examples.md": "examples/README.md", "oracle.md": "tests/oracle/README.md"}
# Listed by what there is, below headings of the navigation in mkdocs.yml.
FORMATS, DECISIONS, VERBS, REFERENCE = "formats", "decisions", "VERBS", "REFERENCE"
SITE = "site"  # the folder of this file


def pages():
    """{place in the site: file} of every page of text."""
    found = {page.relative_to(DOCS).as_posix(): page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != SITE}
    return found | {place: ROOT / path for place, path in BESIDE.items()}


def title(page):
    """Its first heading, without marks."""
    heading = re.search(r"^# (.*)$", page.read_text(), re.MULTILINE)
    return re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading.group(1)) if heading else page.stem


def way(from_page, to_place):
    """A link from one place of the site to another."""
    up = from_page.count("/")
    return "../" * up + to_place


def linked(text, place, page, places):
    """The text with the links of the source turned into those of the site."""
    def turned(match):
        words, target = match.groups()
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match.group()
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve()
        if file == (DOCS / FORMATS):
            return f"[{words}]({way(place, 'formats/index.md')})"
        if file.is_dir() and (file / "README.md") in places:
            file /= "README.md"
        if file in places:
            return f"[{words}]({way(place, places[file])}{'#' + anchor if anchor else ''})"
        if file.is_relative_to(DOCS):
            return f"[{words}]({way(place, file.relative_to(DOCS).as_posix())})"
        return words
    text = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", turned, text)
    # Pictures in HTML: as they are in docs/, and from beside it.
    if not page.is_relative_to(DOCS):
        text = re.sub(r'((?:src|srcset)=")docs/', r"\1", text)
    return text


def with_bars(text):
    """In a table, `a \\| b` is how the source writes a bar in code. The generator would show the backslash."""
    def bare(match):
        return f"<code>{html.escape(match.group(1)).replace(chr(92) + '|', '&#124;')}</code>"
    return re.sub(r"^\|.*$", lambda row: re.sub(r"`([^`]*\\\|[^`]*)`", bare, row.group()), text, flags=re.MULTILINE)


def stage(folder):
    """Copies what the site is made of into the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    found = pages()
    places = {page: place for place, page in found.items()}
    for file in DOCS.rglob("*"):
        if file.is_file() and file.suffix in (".svg", ".png", ".json") and SITE not in file.relative_to(DOCS).parts:
            copy(file, folder / file.relative_to(DOCS))
    for place, page in found.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_bars(linked(page.read_text(), place, page, places)))
    schemas = sorted((DOCS / FORMATS).glob("*.schema.json"))
    (folder / FORMATS / "index.md").write_text(
        "# Formats\n\nThe pages beside this one are the grammars of files. Answers as JSON have these schemas:\n\n" +
        "".join(f"- [`{schema.name}`]({schema.name})\n" for schema in schemas))
    copy(pathlib.Path(__file__).with_name("site.css"), folder / "site.css")
    return found


def copy(file, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)


def entries(places, found, indent):
    return "".join(f"\n{indent}- {title(found[place])!r}: {place}" for place in places)


def configuration(found):
    """mkdocs.yml with the lists of its navigation filled in, so that no page is left out."""
    text = pathlib.Path(__file__).with_name("mkdocs.yml").read_text()
    verbs = set(re.findall(r"^Verb const (\w+)_verb", "\n".join(file.read_text() for file in (ROOT / "src/cli/verbs").glob("*.cpp")),
                           re.MULTILINE))
    named = set(re.findall(r"\b[\w/-]+\.md\b", text))
    top = [place for place in found if "/" not in place and place not in named]
    lists = {VERBS: [place for place in top if pathlib.Path(place).stem in verbs],
             REFERENCE: [place for place in top if pathlib.Path(place).stem not in verbs],
             "FORMATS": [place for place in found if place.startswith("formats/")],
             "DECISIONS": [place for place in found if place.startswith("decisions/2")]}
    rest = [place for place in found if place not in named and all(place not in places for places in lists.values())
            and place != "decisions/README.md"]
    if rest:
        raise SystemExit(f"docs/site/mkdocs.yml has no place for {', '.join(rest)}")
    first = {"FORMATS": "formats/index.md", "DECISIONS": "decisions/README.md"}
    for name, places in lists.items():
        indent = " " * (re.search(rf"^( *)- .*: {name}$", text, re.MULTILINE).end(1) -
                        re.search(rf"^( *)- .*: {name}$", text, re.MULTILINE).start(1) + 4)
        leading = f"\n{indent}- {first[name]}" if name in first else ""
        text = re.sub(rf": {name}$", lambda _: ":" + leading + entries(places, found, indent), text, flags=re.MULTILINE)
    return text


def main():
    if len(sys.argv) != 2:
        raise SystemExit("usage: build.py FOLDER")
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = stage(folder / "pages")
    (folder / "mkdocs.yml").write_text(configuration(found))
    done = subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "--config-file", folder / "mkdocs.yml"], check=False)
    if done.returncode != 0:
        raise SystemExit(done.returncode)
    print(f"{len(found)} pages: {folder / 'html' / 'index.html'}")


if __name__ == "__main__":
    main()
