"""The pages as a static site: man pages by mandoc, docs/ by Python's Markdown, and links that lead
somewhere. Run as a program it writes the site into a directory."""

import html
import html.parser
import pathlib
import posixpath
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
ELSEWHERE = "https://manpages.debian.org/%N.%S"
REFERENCE = re.compile(r"(?<![\w./`-])([A-Za-z][\w.-]*)\(([1-9])\)")
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`[^`\n]+`)")
# mandoc's own headings of a section are "Sh"; the name of a page is all its title says.
NAME_LINE = re.compile(r"^\.Nd (.*)$", re.MULTILINE)
SECTIONS = {"5": "Files", "7": "Overviews", "8": "Programs"}

STYLE = """\
body { font: 17px/1.5 sans-serif; margin: 0 auto; max-width: 52rem; padding: 0 1rem 4rem; color: #222; }
nav { border-bottom: 1px solid #ccc; padding: .8rem 0; }
nav a { margin-right: 1.2rem; }
a { color: #0b5; text-decoration-thickness: 1px; }
pre, code { font-family: monospace; font-size: .9em; }
pre { background: #f5f5f2; overflow-x: auto; padding: .7rem; }
table { border-collapse: collapse; }
td, th { border: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }
table.head, table.foot { width: 100%; }
table.head td, table.foot td, table.Nm td, table.synopsis td { border: 0; padding: 0 .2rem; }
dd { margin-left: 2rem; }
.Bd-indent { margin-left: 2rem; }
"""

FRAME = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav><a href="{up}index.html">LosOS</a> <a href="{up}man/index.html">Man pages</a>
<a href="{up}changelog.html">Changes</a></nav>
{body}
</body>
</html>
"""


def framed(title, body, up=""):
    return FRAME.format(title=html.escape(title), body=body, up=up)


def man_pages(root):
    return sorted((root / "man").glob("*.[1-9]"))


# --- man pages ------------------------------------------------------------------------------------


def man_html(page):
    """One page by mandoc. A page that is not ours is linked to Debian's."""
    # mandoc takes the first form for a file that is in its working directory.
    made = subprocess.run(
        ["mandoc", "-Thtml", "-Wwarning", "-O", f"fragment,toc,man=%N.%S.html;{ELSEWHERE}", page.name],
        cwd=page.parent, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise SystemExit(f"mandoc does not like {page}: {made.stderr}")
    return framed(f"{page.stem}({page.suffix[1:]})", made.stdout, "../")


def man_index(pages):
    body = ["<h1>Man pages</h1>"]
    for section, title in SECTIONS.items():
        body.append(f"<h2>{title}</h2>\n<dl>")
        for page in pages:
            if page.suffix == f".{section}":
                says = NAME_LINE.search(page.read_text(encoding="utf-8")).group(1)
                body.append(f'<dt><a href="{page.name}.html">{page.stem}({section})</a></dt>'
                            f"<dd>{html.escape(says)}</dd>")
        body.append("</dl>")
    return framed("Man pages", "\n".join(body), "../")


# --- Markdown -------------------------------------------------------------------------------------


def prose_of(text):
    """The text outside code, piece by piece, with whether it is code."""
    for number, piece in enumerate(FENCE.split(text)):
        if number % 2:
            yield piece, True
        else:
            for inner, part in enumerate(CODE.split(piece)):
                yield part, bool(inner % 2)


def references(text):
    """(name, section) of each page that a Markdown text refers to."""
    return [found for piece, code in prose_of(text) if not code for found in REFERENCE.findall(piece)]


def with_links(text, there):
    """Markdown in which each reference to a page of ours is a link to it."""
    def link(found):
        name = f"{found[1]}.{found[2]}"
        return f"[{found[0]}](man/{name}.html)" if name in there else found[0]
    return "".join(piece if code else REFERENCE.sub(link, piece) for piece, code in prose_of(text))


def target_of(link):
    """Where a link of a Markdown file leads on the site."""
    path, mark, anchor = link.partition("#")
    if "://" in link or not path.endswith(".md"):
        return link
    name = posixpath.basename(path).removesuffix(".md").lower()
    return ("index" if name == "readme" else name) + ".html" + mark + anchor


def doc_html(path, there):
    import markdown  # Debian's python3-markdown; nothing else here needs it
    text = path.read_text(encoding="utf-8")
    title = re.search(r"^# (.*)$", text, re.MULTILINE).group(1)
    body = markdown.markdown(with_links(text, there),
                             extensions=["tables", "fenced_code", "toc", "sane_lists"])
    body = re.sub(r'(<a href=")([^"]+)(")', lambda found: found[1] + target_of(found[2]) + found[3], body)
    return framed(title, body)


def documents(root):
    """{name on the site: Markdown file}."""
    found = {target_of(path.name): path for path in sorted((root / "docs").glob("*.md"))}
    return {**found, "changelog.html": root / "CHANGELOG.md"}


# --- links ----------------------------------------------------------------------------------------


class Links(html.parser.HTMLParser):
    """What a page can be pointed at by, and where it points."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values:
            self.anchors.add(values["id"])
        for name in ("href", "src"):
            if name in values:
                self.targets.append(values[name])


def dangling(site):
    """'page: link' for each link of a site that leads nowhere on it."""
    pages = {path.relative_to(site).as_posix(): Links(path.read_text(encoding="utf-8"))
             for path in sorted(site.rglob("*.html"))}
    found = []
    for name, page in pages.items():
        for target in page.targets:
            url = urllib.parse.urlsplit(target)
            if url.scheme == "https" and url.netloc:
                continue
            to = posixpath.normpath(posixpath.join(posixpath.dirname(name), url.path)) if url.path else name
            anchor = urllib.parse.unquote(url.fragment)
            if url.scheme or not (site / to).is_file() or (
                    anchor and to in pages and anchor not in pages[to].anchors):
                found.append(f"{name}: {target}")
    return found


# --- the whole ------------------------------------------------------------------------------------


def render(root, site):
    """Writes the site of a tree; fails where mandoc complains."""
    (site / "man").mkdir(parents=True, exist_ok=True)
    (site / "style.css").write_text(STYLE, encoding="utf-8")
    pages = man_pages(root)
    there = {page.name for page in pages}
    for page in pages:
        (site / "man" / f"{page.name}.html").write_text(man_html(page), encoding="utf-8")
    (site / "man/index.html").write_text(man_index(pages), encoding="utf-8")
    for name, path in documents(root).items():
        (site / name).write_text(doc_html(path, there), encoding="utf-8")


def main():
    if len(sys.argv) != 2:
        raise SystemExit("usage: losos_site.py DIRECTORY")
    site = pathlib.Path(sys.argv[1])
    render(ROOT, site)
    found = dangling(site)
    if found:
        raise SystemExit("links that lead nowhere:\n" + "\n".join(found))
    print(f"{sum(1 for _ in site.rglob('*.html'))} pages, and every link leads somewhere")


if __name__ == "__main__":
    main()
