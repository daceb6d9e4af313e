import { Buffer } from "node:buffer";
import { PermanentError } from "@planwright/shared/errors";
import type { Report, ReportRequest } from "../report-renderer.ts";
import { cleanSvg } from "./clean-svg.ts";
import { readMarkdown } from "./read-markdown.ts";
import { type Block, type Figure, gridOf, plainText, type ReportDocument } from "./report-document.ts";
import { writeHtml } from "./write-html.ts";

const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** @throws {PermanentError} As `ReportRenderer.render` says. */
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

/** A chart may be called by its file too. */
function namesOf(figures: readonly Figure[], charts: ReportRequest["charts"]): ReadonlyMap<string, Figure> {
  const names = new Map(figures.map((figure) => [figure.name, figure]));
  for (const { name, file } of charts) {
    const figure = names.get(name);
    if (file !== undefined && figure !== undefined && !names.has(file)) names.set(file, figure);
  }
  return names;
}

/** A text that begins with the report's title as its own heading says it once. */
function withoutTitle(blocks: readonly Block[], title: string): readonly Block[] {
  const [first, ...rest] = blocks;
  const repeats =
    first?.kind === "heading" && first.level === 1 && plainText(first.line).trim() === title.trim();
  return repeats ? rest : blocks;
}

/** What makes PDFs takes longer to load than a page takes to write. */
async function pdfOf(document: ReportDocument) {
  const { writePdf } = await import("./write-pdf.ts");
  const { fontWarnings } = await import("./pdf-fonts.ts");
  return { ...(await writePdf(document)), warnings: fontWarnings(textOf(document)) };
}

/** Everything that the PDF has to have letters for. */
function textOf(document: ReportDocument): string {
  return JSON.stringify(document);
}

function refuseTooLarge(bytes: number): void {
  if (bytes <= FILE_BYTES_MAX) return;
  throw new PermanentError(`the report has ${bytes} bytes, the limit is ${FILE_BYTES_MAX}`, {
    code: "report_too_large",
  });
}
