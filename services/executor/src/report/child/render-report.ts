import { Buffer } from "node:buffer";
import { PermanentError } from "@planwright/shared/errors";
import type { Report, ReportRequest } from "../report-renderer.ts";
import { cleanSvg } from "./clean-svg.ts";
import { readMarkdown } from "./read-markdown.ts";
import {
  type Block,
  type Figure,
  gridOf,
  plainText,
  type ReportDocument,
  type Alignment,
  type Line,
  type Span,
} from "./report-document.ts";
import { escapeMarkup } from "./escape-markup.ts";

const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** @throws {PermanentError} Like `ReportRenderer.render`. */
export async function renderReport({
  title,
  markdown,
  charts,
  tables,
  formats,
}: ReportRequest): Promise<Report> {
  const figures: Figure[] = [
    ...charts.map(({ name, svg, caption = name }, index): Figure => {
      const block: Block = { kind: "chart", drawing: cleanSvg(svg, `c${index}-`), caption };
      return { name, block };
    }),
    ...tables.map((table) => ({ name: table.name, block: gridOf(table) })),
  ];
  const read = readMarkdown(markdown, namesOf(figures, charts));
  const left = figures.filter(({ name }) => !read.placed.has(name)).map(({ block }) => block);
  const document: ReportDocument = { title, blocks: [...withoutTitle(read.blocks, title), ...left] };
  const html = formats.includes("html") ? Buffer.from(writeHtml(document), "utf8") : undefined;
  const pdf = formats.includes("pdf") ? await pdfOf(document) : undefined;
  for (const bytes of [html, pdf?.bytes]) refuseTooLarge(bytes?.byteLength ?? 0);
  return {
    ...(html === undefined ? {} : { html }),
    ...(pdf === undefined ? {} : { pdf: { bytes: pdf.bytes, pages: pdf.pages } }),
    warnings: [...read.warnings, ...(pdf?.warnings ?? [])],
  };
}

/** A chart can also be referred to by its file. */
function namesOf(figures: readonly Figure[], charts: ReportRequest["charts"]): ReadonlyMap<string, Figure> {
  const names = new Map(figures.map((figure) => [figure.name, figure]));
  for (const { name, file } of charts) {
    const figure = names.get(name);
    if (file !== undefined && figure !== undefined && !names.has(file)) names.set(file, figure);
  }
  return names;
}

/** Removes a leading heading that repeats the report's title. */
function withoutTitle(blocks: readonly Block[], title: string): readonly Block[] {
  const [first, ...rest] = blocks;
  const repeats =
    first?.kind === "heading" && first.level === 1 && plainText(first.line).trim() === title.trim();
  return repeats ? rest : blocks;
}

/** Loaded on demand: the PDF library takes longer to load than a page takes to write. */
async function pdfOf(document: ReportDocument) {
  const { writePdf } = await import("./write-pdf.ts");
  const { fontWarnings } = await import("./pdf-fonts.ts");
  return { ...(await writePdf(document)), warnings: fontWarnings(textOf(document)) };
}

/** All text for which the PDF's fonts need characters. */
function textOf(document: ReportDocument): string {
  return JSON.stringify(document);
}

function refuseTooLarge(bytes: number): void {
  if (bytes <= FILE_BYTES_MAX) return;
  throw new PermanentError(`the report has ${bytes} bytes, the limit is ${FILE_BYTES_MAX}`, {
    code: "report_too_large",
  });
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

const STYLE = `
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1c2230; font: 16px/1.55 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.8em 0 0.5em; }
h1 { margin-top: 0; font-size: 2rem; }
p, li, h1, h2, h3, h4, h5, h6, td, th { unicode-bidi: plaintext; }
a { color: #1d5fbf; }
blockquote { margin: 1em 0; padding: 0 1em; border-left: 3px solid #cfd6e4; color: #4a5365; }
pre { overflow-x: auto; padding: 0.8em 1em; background: #f4f6fa; border-radius: 6px; }
code { font: 0.9em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: #f4f6fa; border-radius: 4px; }
hr { border: 0; border-top: 1px solid #cfd6e4; margin: 2em 0; }
figure { margin: 1.5em 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: #4a5365; font-size: 0.9rem; margin-top: 0.4em; }
table { border-collapse: collapse; font-size: 0.95rem; }
th, td { padding: 0.35em 0.8em; border-bottom: 1px solid #dfe4ee; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #aeb8ca; }
.right { text-align: right; font-variant-numeric: tabular-nums; }
.center { text-align: center; }
@media print { main { padding: 0; max-width: none; } figure, tr { break-inside: avoid; } }
`.trim();

/** One self-contained HTML file: it loads nothing, and nothing in it runs. */
function writeHtml({ title, blocks }: ReportDocument): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${blocksOf(blocks)}
</main>
</body>
</html>
`;
}

function blocksOf(blocks: readonly Block[]): string {
  return blocks.map(blockOf).join("\n");
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${lineOf(block.line)}</h${block.level}>`;
    case "paragraph":
      return block.tight ? lineOf(block.line) : `<p>${lineOf(block.line)}</p>`;
    case "quote":
      return `<blockquote>${blocksOf(block.blocks)}</blockquote>`;
    case "list":
      return listOf(block);
    case "code":
      return `<pre><code>${escapeMarkup(block.text)}</code></pre>`;
    case "rule":
      return "<hr>";
    case "grid":
      return gridHtml(block);
    case "chart":
      return `<figure>${namedSvg(block)}${captionOf(block.caption)}</figure>`;
  }
}

function listOf({ start, items }: Extract<Block, { kind: "list" }>): string {
  const inner = items.map((blocks) => `<li>${blocksOf(blocks)}</li>`).join("\n");
  if (start === undefined) return `<ul>${inner}</ul>`;
  return `<ol${start === 1 ? "" : ` start="${start}"`}>${inner}</ol>`;
}

function gridHtml({ head, rows, alignments, caption }: Extract<Block, { kind: "grid" }>): string {
  const row = (cells: readonly Line[], tag: "td" | "th") =>
    `<tr>${cells.map((cell, column) => `<${tag}${classOf(alignments[column])}>${lineOf(cell)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("\n");
  return `<figure><table><thead>${row(head, "th")}</thead><tbody>
${body}</tbody></table>${captionOf(caption ?? "")}</figure>`;
}

function classOf(alignment: Alignment = "left"): string {
  return alignment === "left" ? "" : ` class="${alignment}"`;
}

function captionOf(caption: string): string {
  return caption === "" ? "" : `<figcaption>${escapeMarkup(caption)}</figcaption>`;
}

/** Gives the drawing an image role and a name for screen readers. */
function namedSvg({ drawing, caption }: Extract<Block, { kind: "chart" }>): string {
  return drawing.svg.replace("<svg", `<svg role="img" aria-label="${escapeMarkup(caption)}"`);
}

function lineOf(line: Line): string {
  return line.map(spanOf).join("");
}

function spanOf({ text, bold, italic, strike, code, href }: Span): string {
  if (text === "\n") return "<br>";
  let inner = escapeMarkup(text);
  if (code) inner = `<code>${inner}</code>`;
  if (strike) inner = `<s>${inner}</s>`;
  if (italic) inner = `<em>${inner}</em>`;
  if (bold) inner = `<strong>${inner}</strong>`;
  return href === undefined
    ? inner
    : `<a href="${escapeMarkup(href)}" rel="noopener noreferrer nofollow">${inner}</a>`;
}
