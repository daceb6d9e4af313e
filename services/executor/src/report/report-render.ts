import { ArtifactRef } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import type { ChartRenderer } from "./chart-renderer.ts";
import { WorkspacePath } from "../files/workspace-path.ts";
import {
  ReportFormat,
  type ReportRenderer,
  type ReportRequest,
  type ReportTable,
} from "./report-renderer.ts";
import { defineTool, type Tool, type ToolContext } from "../tools/define-tool.ts";

const MARKDOWN_CHARS_MAX = 250_000;
const FIGURES_MAX = 50;
const ROWS_MAX = 5_000;
const COLUMNS_MAX = 40;
const CHART_BYTES_MAX = 4 * 1024 * 1024;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u;
const CONTENT_TYPES = { html: "text/html; charset=utf-8", pdf: "application/pdf" } as const;

const Name = z.string().regex(NAME, "wanted letters, digits, -, _ and dots");
const Caption = z.string().max(500).optional();
const Row = z.record(z.string(), z.unknown());

const Chart = z
  .strictObject({
    name: Name.describe("NAME of its fence; default: the file name without .svg.").optional(),
    file: WorkspacePath.describe("An SVG file from chart.render.").optional(),
    spec: Row.describe("Or a Vega-Lite spec, with the rows as `data`.").optional(),
    data: z.array(Row).max(ROWS_MAX).optional(),
    caption: Caption,
  })
  .refine(
    ({ file, spec }) => (file === undefined) !== (spec === undefined),
    "expected either a file or a spec",
  )
  .refine(
    ({ name, spec }) => spec === undefined || name !== undefined,
    "wanted a name for a chart with a spec",
  );
type Chart = z.infer<typeof Chart>;

const Table = z.strictObject({
  name: Name,
  rows: z.array(Row).max(ROWS_MAX),
  columns: z
    .record(z.string(), z.string())
    .describe("Fields to show, in order, with their titles; default: all fields.")
    .optional(),
  caption: Caption,
});
type Table = z.infer<typeof Table>;

const Input = z.strictObject({
  title: z.string().trim().min(1).max(300),
  markdown: z.string().max(MARKDOWN_CHARS_MAX).describe("Text without the title."),
  charts: z.array(Chart).max(FIGURES_MAX).default([]),
  tables: z.array(Table).max(FIGURES_MAX).default([]),
  formats: z.array(ReportFormat).min(1).max(2).describe("Default: both.").optional(),
  path: WorkspacePath.describe("Path of the files, such as report or q4/report.pdf.").optional(),
});

const File = z.object({ path: z.string(), artifact: ArtifactRef, bytes: z.int().positive() });

/** Renders one report from Markdown, charts and tables, as a page and as a PDF. */
export function reportRender({
  charts: renderer,
  reports,
}: {
  readonly charts: ChartRenderer;
  readonly reports: ReportRenderer;
}): Tool {
  return defineTool({
    name: "report.render",
    description:
      "Combine Markdown, charts and tables into one HTML file and a PDF. A fence ```chart NAME or ```table NAME in the Markdown places a figure; the others follow at the end. Images are not loaded. " +
      "Output: {html: {path, bytes}, pdf: {path, bytes, pages}}.",
    input: Input,
    output: z.object({
      html: File.optional(),
      pdf: File.extend({ pages: z.int().positive() }).optional(),
      warnings: z.array(z.string()).optional().describe("What could not be rendered as requested."),
    }),
    risk: "low",
    effect: "idempotent",
    timeoutMs: 120_000,
    untrusted: false,
    run: async ({ title, markdown, charts, tables, formats, path }, context) => {
      refuseRepeatedNames([...charts.map(nameOf), ...tables.map(({ name }) => name)]);
      const drawn: ReportRequest["charts"] = [];
      for (const chart of charts) drawn.push(await draw(chart, { renderer, context }));
      const target = targetOf(
        path ?? `report-${context.stepId}${context.item === 0 ? "" : `-${context.item}`}`,
        formats,
      );
      const report = await reports.render(
        { title, markdown, charts: drawn, tables: tables.map(tableOf), formats: [...target.formats] },
        context,
      );
      context.signal.throwIfAborted();
      const write = (bytes: Uint8Array, format: ReportFormat) =>
        writeFile(context, { path: `${target.base}.${format}`, bytes, format });
      return {
        ...(report.html === undefined ? {} : { html: await write(report.html, "html") }),
        ...(report.pdf === undefined
          ? {}
          : { pdf: { ...(await write(report.pdf.bytes, "pdf")), pages: report.pdf.pages } }),
        ...(report.warnings.length === 0 ? {} : { warnings: report.warnings }),
      };
    },
  });
}

async function writeFile(
  { workspace }: ToolContext,
  {
    path,
    bytes,
    format,
  }: { readonly path: string; readonly bytes: Uint8Array; readonly format: ReportFormat },
) {
  return { path, ...(await workspace.write(path, bytes, CONTENT_TYPES[format])) };
}

/** A path with the extension of a format requests that format, unless formats are given. */
function targetOf(path: string, formats: readonly ReportFormat[] | undefined) {
  const [, base = path, end] = /^(.+)\.(html|pdf)$/i.exec(path) ?? [];
  const own = ReportFormat.safeParse(end?.toLowerCase()).data;
  return { base, formats: new Set(formats ?? (own === undefined ? (["html", "pdf"] as const) : [own])) };
}

function nameOf({ name, file }: Chart): string {
  return name ?? (file ?? "").replace(/^.*\//, "").replace(/\.svg$/i, "");
}

async function draw(
  chart: Chart,
  { renderer, context }: { readonly renderer: ChartRenderer; readonly context: ToolContext },
): Promise<ReportRequest["charts"][number]> {
  const { file, spec, data, caption } = chart;
  const about = {
    name: nameOf(chart),
    ...(caption === undefined ? {} : { caption }),
    ...(file === undefined ? {} : { file }),
  };
  if (file !== undefined) return { ...about, svg: await readSvg(file, context) };
  const { svg } = await renderer.render(
    { spec: spec ?? {}, ...(data === undefined ? {} : { data }) },
    context,
  );
  return { ...about, svg };
}

async function readSvg(file: string, { workspace }: ToolContext): Promise<string> {
  const bytes = await workspace.read(file);
  if (bytes === undefined) {
    const known = (await workspace.list()).filter((path) => path.endsWith(".svg"));
    throw new PermanentError(
      `no file ${file}; the charts of this plan: ${known.slice(0, FIGURES_MAX).join(", ") || "none"}`,
      {
        code: "file_not_found",
      },
    );
  }
  if (bytes.byteLength > CHART_BYTES_MAX)
    throw new PermanentError(`${file} has ${bytes.byteLength} bytes, the limit is ${CHART_BYTES_MAX}`, {
      code: "file_too_large",
    });
  return new TextDecoder().decode(bytes);
}

function tableOf({ name, rows, columns, caption }: Table): ReportTable {
  const titles =
    columns ?? Object.fromEntries(rows.flatMap((row) => Object.keys(row)).map((field) => [field, field]));
  const shown = Object.entries(titles).map(([field, title]) => ({ field, title }));
  if (shown.length > COLUMNS_MAX)
    throw new PermanentError(
      `table ${name} has ${shown.length} columns, the limit is ${COLUMNS_MAX}: name some`,
      {
        code: "report_too_large",
      },
    );
  return { name, columns: shown, rows, ...(caption === undefined ? {} : { caption }) };
}

function refuseRepeatedNames(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new PermanentError(`two charts or tables are named ${repeated}`, { code: "invalid_arguments" });
}
