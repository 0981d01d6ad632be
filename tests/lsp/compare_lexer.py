"""The lexer of Pygments cuts files as the scanner does: compare_lexer.py LEXER.py <the output of print_tokens.

Prints the first difference of each file that has one. The exit code is 1 if one has.
"""
import sys

from pygments.lexers import load_lexer_from_file
from pygments.token import Comment, Error, Keyword, Name, Number, Punctuation, String, Whitespace

KINDS = [
    (Comment.Preproc, "pragma"), (Comment, "comment"), (String, "string"), (Number.Float, "float"),
    (Number.Integer, "integer"), (Error, "error"), (Keyword.Namespace, "directive"),
    (Punctuation, "punctuation"), (Keyword, "name"), (Name, "name"),
]


def kind_of(token):
    return next(kind for parent, kind in KINDS if token in parent)


def cuts(lexer, text):
    starts = [0]
    for at, letter in enumerate(text):
        if letter == "\n":
            starts.append(at + 1)
    line = 0
    for at, token, value in lexer.get_tokens_unprocessed(text):
        while line + 1 < len(starts) and starts[line + 1] <= at:
            line += 1
        if token in Whitespace:
            continue
        yield line + 1, at - starts[line] + 1, len(value), kind_of(token)


def main():
    lexer = load_lexer_from_file(sys.argv[1], "WsaLexer")
    wanted = {}
    for row in sys.stdin.read().splitlines():
        words = row.split(" ")
        if len(words) == 4 and words[0].isdigit():
            wanted[file].append((int(words[0]), int(words[1]), int(words[2]), words[3]))
        else:
            file = row
            wanted[file] = []
    failures = 0
    tokens = 0
    for file, rows in wanted.items():
        with open(file, encoding="latin-1", newline="") as source:
            found = list(cuts(lexer, source.read()))
        tokens += len(rows)
        rows = [row for row in rows if row[3] != "error"]
        found = [row for row in found if row[3] != "error"]
        if found != rows:
            failures += 1
            first = next((pair for pair in zip(rows, found) if pair[0] != pair[1]), "their number")
            print(f"{file}: scanner and lexer differ: {first}")
    print(f"{tokens} tokens of {len(wanted)} files")
    return 1 if failures or tokens < 50000 else 0


sys.exit(main())
