#!/usr/bin/env python3
"""A document as a page for man: document_page.py LOWDOWN DOCUMENT.md NAME SECTION DATE VERSION >PAGE

lowdown writes the roff. Before it, tables become lists of terms, since a terminal is too narrow for most of them, and links
to other documents become their names, or the page for man where there is one.
"""

import pathlib
import re
import subprocess
import sys

PAGES = {"machine": "parcast-machine(5)", "trace": "parcast-trace(5)", "pamela": "parcast-pamela(7)"}


def cells(row):
    """Of a line of a table; a bar in a code span is text."""
    parts = re.split(r"(?<!\\)\|", row.strip().strip("|"))
    return [part.strip().replace("\\|", "|") for part in parts]


def listed(table):
    """The lines of a table as a list: the first cell is the term, the others say what it is."""
    titles, rows = cells(table[0]), [cells(row) for row in table[2:]]
    lines = []
    for first, *others in rows:
        named = [f"{title}: {cell}" if title and len(others) > 1 else cell for title, cell in zip(titles[1:], others) if cell]
        # A term in bold, its meaning indented below.
        lines += [first if first.startswith(("`", "*")) else f"**{first or '-'}**", "", ": " + "; ".join(named), ""]
    return lines


def without_tables(text):
    lines, table = [], []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            table.append(line)
            continue
        if table:
            lines += ["", *listed(table), ""]
            table = []
        lines.append(line)
    return "\n".join(lines)


def without_links(text):
    def name_of(match):
        words, target = match.groups()
        path = pathlib.PurePosixPath(target.partition("#")[0])
        if target.startswith("http"):
            return f"{words} ({target})"
        if path.suffix != ".md":
            return words
        page = PAGES.get(path.stem)
        return f"{words} ({page})" if page and path.parent == pathlib.PurePosixPath(".") else f"{words} (docs/{path.name})"
    return re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", name_of, text)


def main():
    lowdown, document, name, section, date, version = sys.argv[1:]
    text = pathlib.Path(document).read_text()
    title, _, text = text.partition("\n")
    text = without_links(without_tables(text))
    page = subprocess.run([lowdown, "-Tman", "--parse-no-autolink"], input=text, capture_output=True, text=True, check=True).stdout
    page = page.replace(r"\fC", r"\fB").replace(r"\f(CB", r"\fB").replace(r"\f(CR", r"\fB")
    page = re.sub(r"(\n\.S[SH]\b[^\n]*\n(?:[^.\n][^\n]*\n)?)\.[LP]P\n", r"\1", "\n" + page).lstrip("\n")
    summary = title.lstrip("# ").replace("-", r"\-")
    print(f'.TH {name.upper()} {section} "{date}" "parcast {version}" "parcast"')
    print(f".SH NAME\n{name} \\- {summary}\n.SH DESCRIPTION")
    page = re.sub(r"^\.[LP]P\n", "", page)
    print(page)
    print(".SH SEE ALSO\n.BR parcast (1)")


main()
