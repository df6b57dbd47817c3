"""What the experiments of `./dev accuracy` on the emulated machine have in common: their options, and their section in docs/accuracy.md."""

import argparse


def parser_of(option, doc, results, names):
    """Of `./dev accuracy OPTION`, with the first line of its module's text."""
    parser = argparse.ArgumentParser(prog=f"./dev accuracy {option}", description=doc.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    parser.add_argument("--build", default="build/release", help="where parcast and the examples were built")
    parser.add_argument("--folder", default="build/oracle", help="for the emulator")
    parser.add_argument("--results", default=results)
    parser.add_argument("--document", default="docs/accuracy.md", help="takes the table in its section")
    parser.add_argument("--limit", type=int, default=300, metavar="S", help="seconds that a guest may take (default: 300)")
    return parser


def put_into(document, begin, end, section):
    """The section from one mark to the other takes the place of the one that is there, or follows the text."""
    with open(document, encoding="utf-8") as file:
        text = file.read()
    if begin in text:
        text = text[:text.index(begin)] + section + text[text.index(end) + len(end):]
    else:
        text = text.rstrip("\n") + "\n\n" + section + "\n"
    with open(document, "w", encoding="utf-8") as file:
        file.write(text)
