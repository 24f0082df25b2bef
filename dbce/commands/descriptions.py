"""What `dbce COMMAND --help` says above and below the options."""

RUN_HELP = """\
Reads web archives, compares every HTML page with other pages of its template and with its own
snapshots, and writes annotated archives and tables.

INPUT is a .warc, .warc.gz, .warc.zst, .arc, .arc.gz or .wacz file, a folder, a glob, a .cdx, .cdxj or
.parquet index (then only the captures it lists are read), @list.txt with one input a line, one .html
file, or - for what comes on standard input; a path or a URI.
"""

RUN_EPILOG = """\
exit code: 0 done; 2 wrong use, nothing was done; 3 done, but more captures were rejected than
--max-reject-ratio allows; 4 stopped where a store failed, 130 by Ctrl-C, --resume goes on; 1 a bug.

example:
  dbce run crawl/*.warc.gz --out clean
  dbce text clean > pages.jsonl
"""

NIGHTLY_HELP = """\
Takes the files of INPUT that are new, compares their pages with each other and with all of earlier
nights, and writes the night's outputs to DIR/nights. Archive files of earlier nights are not read.
A night that died is gone on with first.
"""

NIGHTLY_EPILOG = """\
exit code: 0 done, or nothing was new; 2 wrong use, or another night is at work; 3 more captures were
rejected than --max-reject-ratio allows, nothing was compared; 4 a store failed, 130 stopped by Ctrl-C,
call again; 1 a bug.
"""

TEXT_HELP = """\
Prints the main content of every page and what the page says of itself: of finished runs, or in one
step of archives, without Spark and without leaving a folder. Pages that are given together are compared
with each other.

INPUT is the folder of a finished run; or as for dbce run; or an HTML file; or - for an archive or an
HTML page on standard input.
"""

TEXT_EPILOG = """\
exit code: 0 done; 2 wrong use; 3 done, but more captures were rejected than max_reject_ratio of the
configuration allows; 4 a store failed; 1 a bug.

example:
  dbce text crawl.warc.gz > pages.jsonl
  curl https://example.org/ | dbce text - --url https://example.org/ --format markdown
"""

REPORT_HELP = """\
Writes DIR/report.html, one file to send: what was processed and what was damaged, content share by
site and year, confidence, neighbours, templates through time, and the pages to look at first; with
--gold also scores, calibration and the worst pages. Beside it, DIR/report/ shows every page with its
content and boilerplate coloured; index.html is the one to open. Needs 'dbce[report]' or 'dbce[view]'.
"""

VIEW_HELP = """\
Serves a web page on a finished run, until Ctrl-C: every capture as it was archived, content and
boilerplate marked, and for every passage why. Needs 'dbce[view]'.
"""

LABEL_HELP = """\
Serves a web page on which people say what is content: run by run, or by painting regions of the page.
FILE is node gold that dbce evaluate and dbce train read, saved at every click; FILE.journal beside it
has who said what, for the review, where disagreements are settled. Needs 'dbce[view]'.

With --headings people say instead which texts are headings, and of which level, on pages that
dbce render has left in DIR; with --blocks they draw the blocks of such pages, on their screenshots: boxes,
elements, merged, split, labelled.
"""

LABEL_EPILOG = """\
example:
  dbce label clean --gold gold.jsonl --order site --captures 20
  dbce evaluate clean --gold gold.jsonl
  dbce label clean --headings headings.jsonl
  dbce label clean --blocks blocks.jsonl
"""

CHECK_HELP = """\
Reads web archives once, without judging a page, and says what is in every file and what is wrong
where: records by type, HTML captures, damage, lengths, digests, revisits, charsets. Where there are
revisits, headers are read again to tell how many are resolved.

INPUT is as for dbce run; .wet.gz files, too.
"""

CHECK_EPILOG = """\
exit code: 0 done; 2 wrong use; 3 with --strict, where anything is damaged; 4 a store failed; 1 a bug.
"""

RENDER_HELP = """\
Lays every HTML page of web archives out as a reader saw it, in headless Chromium, and writes where each
element and text stood, its style, and a picture of the whole page to DIR/rendered. Every request is
answered from the archive at the capture's time; nothing leaves this machine. Needs 'dbce[render]' and
Chromium.

INPUT is as for dbce run. DIR may be the folder of a run on the same captures: texts carry its numbers.
"""

RENDER_EPILOG = """\
exit code: 0 done; 2 wrong use; 3 done, but more than half of the captures were rejected; 4 stopped where a
store failed, 130 by Ctrl-C, --resume goes on; 1 a bug.

example:
  dbce render crawl/*.warc.gz --out clean
"""

SEGMENT_HELP = """\
Cuts the pages that dbce render left in DIR into visual blocks with a role: header, nav, article, aside,
footer or section. DIR/blocks/ gets a table for each algorithm and setting, of a row a block.
"""

SEGMENT_EPILOG = """\
example:
  dbce segment clean
  dbce segment clean --set level=2
  dbce segment clean --algorithm bom-paper --set granularity=2 --set mixed=yes --overlays drawn
exit code: 0 done; 2 wrong use; 3 more pages rejected than cut; 4 a store failed; 1 a bug.
"""

HEADINGS_HELP = """\
Finds the headings of pages, and the blocks that they name: DIR/headings/ gets a table for each method and
setting, of a row a block. Pages are those that dbce render left in DIR, or those of a run with styles of
their own sheets. Headings are looked for in the content body, which the verdicts of a run tell.
"""

HEADINGS_EPILOG = """\
example:
  dbce headings clean
  dbce headings clean --styles sheets
  dbce headings clean --method heps-paper --set theta_3=0.9 --body body
exit code: 0 done; 2 wrong use; 3 more pages rejected than looked at; 4 a store failed; 1 a bug.
"""

EVALUATE_HEADINGS_HELP = """\
Scores the tables that dbce headings left in DIR against headings that people marked, by the measures of
HEPS: precision, recall and F of headings and of blocks, and of what they are related to.
"""

EVALUATE_HEADINGS_EPILOG = """\
example:
  dbce headings clean --bodies headings.jsonl
  dbce headings clean --bodies headings.jsonl --method heps-published
  dbce evaluate-headings clean --gold headings.jsonl --half held-out --html headings.html
"""

EVALUATE_BLOCKS_HELP = """\
Scores segmentations against blocks that people drew, by the evaluation model of Sanoja's thesis, B-cubed
and the measures of others, and prints its tables.

INPUT is a folder or table that dbce segment left, block gold, or a file of GOSH, whose stored
segmentations are scored. Gold is block gold, or a file of Kreuzer's set or of GOSH.
"""

EVALUATE_BLOCKS_EPILOG = """\
example:
  dbce evaluate-blocks gosh.blocks.jsonl --gold gosh.blocks.jsonl --convention thesis
  dbce evaluate-blocks clean --gold kreuzer.blocks.jsonl --rendered clean --level 2 --html blocks.html
"""

MIGRATE_HELP = """\
Writes the pages that dbce render left in RUN as HTML5: blocks with roles become header, nav, article, aside,
footer, section and one main; obsolete elements and attributes are replaced, quirks made up for. Each page
is laid out again and measured; one that lost anything, or does not look as it did, keeps its old form.
DIR/migrated gets conversion records with their index, and a table with a row a page. Needs 'dbce[render]'
and Chromium.
"""

MIGRATE_EPILOG = """\
example:
  dbce render crawl --out clean
  dbce segment clean
  dbce migrate clean --archive crawl --out new
exit code: 0 done; 2 wrong use; 4 a store failed; 1 a bug.
"""

AGREE_HELP = """\
Says of each two people who drew on the same pages how far they agree: B-cubed over the characters of the
pages, blocks that correspond, and Cohen's kappa of their roles. What each drew is in the journal beside a gold
file; of a file without one it is that of who it names.
"""

AGREE_EPILOG = """\
example:
  dbce agree clean --blocks blocks.jsonl
  dbce agree clean --blocks anna.jsonl ben.jsonl --csv agreement.csv
"""

CHANGES_HELP = """\
Compares each snapshot of a URL in a run with the one before it: words by verdict, links, images, blocks,
template and, where both were rendered, their pictures. Says whether the content changed, or the
boilerplate alone, or the design, or the page is gone. DIR/changes/ gets a table of a row a snapshot.
"""

CHANGES_EPILOG = """\
example:
  dbce run crawls --out clean
  dbce changes clean
  dbce render crawls --out clean && dbce changes clean --mode hybrid
  dbce changes clean --pair http://harbour.example/ 2014 20160301
exit code: 0 done; 2 wrong use; 4 a store failed; 1 a bug.
"""
