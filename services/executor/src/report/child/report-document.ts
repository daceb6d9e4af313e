/** A report as a tree, the source of both the page and the PDF. It contains no markup and no unchecked link. */
import type { ReportTable } from "../report-renderer.ts";

export type Span = {
  readonly text: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
  /** An http, https or mailto address. */
  readonly href?: string;
};

/** A run of text; `"\n"` as its own text is a line break. */
export type Line = readonly Span[];

export type Alignment = "left" | "center" | "right";

export type Drawing = { readonly svg: string; readonly width: number; readonly height: number };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly line: Line }
  | {
      readonly kind: "paragraph";
      readonly line: Line;
      /** In a list whose items have no space between them. */
      readonly tight: boolean;
    }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "list";
      /** Number of the first item; undefined for bullets. */
      readonly start: number | undefined;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" }
  | Grid
  | { readonly kind: "chart"; readonly drawing: Drawing; readonly caption: string };

export type Grid = {
  readonly kind: "grid";
  readonly head: readonly Line[];
  readonly rows: readonly (readonly Line[])[];
  readonly alignments: readonly Alignment[];
  readonly caption?: string;
};

export type ReportDocument = { readonly title: string; readonly blocks: readonly Block[] };

/** A figure that the Markdown can place by its name. */
export type Figure = { readonly name: string; readonly block: Block };

const CELL_CHARS_MAX = 1_000;

/** Rows as a table: numbers are right-aligned, missing values are empty. */
export function gridOf({ columns, rows, caption }: ReportTable): Grid {
  const isNumeric = (field: string) =>
    rows.some((row) => typeof row[field] === "number") &&
    rows.every((row) => row[field] === undefined || row[field] === null || typeof row[field] === "number");
  return {
    kind: "grid",
    head: columns.map(({ title }) => lineOf(title)),
    rows: rows.map((row) => columns.map(({ field }) => lineOf(cellText(row[field])))),
    alignments: columns.map(({ field }) => (isNumeric(field) ? "right" : "left")),
    ...(caption === undefined ? {} : { caption }),
  };
}

export function lineOf(text: string): Line {
  return text === "" ? [] : [{ text }];
}

/** The text of a line without formatting. */
export function plainText(line: Line): string {
  return line.map(({ text }) => text).join("");
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= CELL_CHARS_MAX ? text : `${text.slice(0, CELL_CHARS_MAX)} …`;
}
