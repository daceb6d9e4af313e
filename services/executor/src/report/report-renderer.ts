/** Renders Markdown as HTML and PDF in a child process, so that a malicious text cannot block this one. */
import { z } from "zod";
import { type IsolationOptions, startIsolatedChild } from "../child-pool/isolated-child.ts";

const DEADLINE_MS = 60_000;
const MEMORY_MB = 768;

export const ReportChart = z.object({
  name: z.string(),
  /** Its path in the plan's files; an image can refer to it by this path. */
  file: z.string().optional(),
  caption: z.string().optional(),
  /** As received: it is sanitised before it is put into a page. */
  svg: z.string(),
});

export const ReportTable = z.object({
  name: z.string(),
  caption: z.string().optional(),
  columns: z.array(z.object({ field: z.string(), title: z.string() })),
  rows: z.array(z.record(z.string(), z.unknown())),
});
export type ReportTable = z.infer<typeof ReportTable>;

export const ReportFormat = z.enum(["html", "pdf"]);
export type ReportFormat = z.infer<typeof ReportFormat>;

export const ReportRequest = z.object({
  title: z.string(),
  markdown: z.string(),
  charts: z.array(ReportChart),
  tables: z.array(ReportTable),
  formats: z.array(ReportFormat),
});
export type ReportRequest = z.infer<typeof ReportRequest>;

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const Report = z.object({
  html: Bytes.optional(),
  pdf: z.object({ bytes: Bytes, pages: z.int().positive() }).optional(),
  /** Messages about content that could not be shown as requested. */
  warnings: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;

export type ReportRenderer = Disposable & {
  /**
   * The same request gives the same bytes.
   *
   * @throws {PermanentError} `invalid_chart` for an invalid drawing, `report_too_large`, `deadline_exceeded`, `out_of_memory`.
   */
  render(report: ReportRequest, options: { readonly signal: AbortSignal }): Promise<Report>;
};

/** @param options.deadlineMs - Time limit for one report; one minute by default. */
export function createReportRenderer(options: IsolationOptions = {}): ReportRenderer {
  const entry = new URL("./child/report-child.ts", import.meta.url);
  const settings = { entry, reply: Report, memoryMb: MEMORY_MB, deadlineMs: DEADLINE_MS, ...options };
  const child = startIsolatedChild(settings);
  return { render: child.call, [Symbol.dispose]: () => child[Symbol.dispose]() };
}
