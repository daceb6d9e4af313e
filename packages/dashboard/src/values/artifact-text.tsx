import type { ArtifactRef, Json } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatBytes } from "../ui/format.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { DataTable } from "./data-table.tsx";
import { Folded } from "./folded.tsx";
import { JsonTree } from "./json-tree.tsx";
import { Markdown } from "./markdown.tsx";
import { readJson } from "./read-json.ts";
import { tableOf, type Table } from "./table-of.ts";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { ARTIFACT_TEXT } from "./value-words.ts";
import styles from "./values.module.css";

/** Larger files are only linked. */
const BYTES_MAX = 512 * 1024;

type File = Pick<ArtifactRef, "name" | "contentType" | "bytes">;
type TextKind = "csv" | "markdown" | "json" | "text";

const BY_ENDING: Readonly<Record<string, TextKind>> = {
  csv: "csv",
  md: "markdown",
  json: "json",
  txt: "text",
};
const BY_TYPE: Readonly<Record<string, TextKind>> = {
  "text/csv": "csv",
  "text/markdown": "markdown",
  "application/json": "json",
  "text/plain": "text",
};

/** What kind of text a file is; undefined when it is none, or too large to be shown. */
export function textKindOf({ name, contentType, bytes }: File): TextKind | undefined {
  if (bytes > BYTES_MAX) return undefined;
  const type = contentType.split(";")[0]?.trim() ?? "";
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending];
  return Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
}

/** A text that a step wrote: a table, Markdown, JSON, or words. */
export function ArtifactText({ planId, artifact, kind }: { planId: string; artifact: File; kind: TextKind }) {
  const { gateway } = useServices();
  const { name, bytes } = artifact;
  const loaded = useLoaded(`${planId}/${name}`, 0, async (signal) =>
    (await gateway.artifact(planId, name, signal)).text(),
  );
  if (loaded.phase === "loading")
    return (
      <Loading className={styles.artifactImage} what={ARTIFACT_TEXT.loading(name, formatBytes(bytes))} />
    );
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  return <TextOf kind={kind} text={loaded.value} />;
}

function TextOf({ kind, text }: { kind: TextKind; text: string }) {
  const table = kind === "csv" ? parseCsv(text) : undefined;
  if (table !== undefined) return <DataTable table={table} />;
  if (kind === "json") {
    const read = readJson(text);
    if ("json" in read) {
      const rows = tableOf(read.json);
      return rows === undefined ? <JsonTree value={read.json} /> : <DataTable table={rows} />;
    }
  }
  return (
    <Folded chars={text.length}>
      {kind === "markdown" ? <Markdown text={text} /> : <pre className="text-block">{text}</pre>}
    </Folded>
  );
}

const ROWS_MAX = 5_000;
const COLUMNS_MAX = 60;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/;

/**
 * A text of comma-separated values (RFC 4180, the first row the head) as a table; numbers become numbers.
 *
 * Linear. Undefined when there is nothing but a head, or when it is too wide to be read.
 */
export function parseCsv(text: string): Table | undefined {
  const rows = readRows(text);
  const [head, ...body] = rows;
  if (head === undefined || body.length === 0 || head.length > COLUMNS_MAX) return undefined;
  return {
    columns: head,
    rows: body.slice(0, ROWS_MAX).map((row) => head.map((_, index) => cellOf(row[index]))),
    truncated: body.length > ROWS_MAX,
  };
}

function cellOf(text: string | undefined): Json {
  if (text === undefined || text === "") return null;
  return NUMBER.test(text) ? Number(text) : text;
}

/** Of one row more than are shown, no more is read. */
function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let index = 0;
  while (index < text.length && rows.length <= ROWS_MAX + 1) {
    const [cell, end] = text[index] === '"' ? quotedAt(text, index) : plainAt(text, index);
    row.push(cell);
    index = end;
    if (text[index] === ",") {
      index += 1;
      if (index === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    index += text[index] === "\r" && text[index + 1] === "\n" ? 2 : 1;
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
}

type Cell = readonly [text: string, end: number];

function plainAt(text: string, start: number): Cell {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return [text.slice(start, end), end];
}

/** A quote inside is written twice; what stands between the last quote and the next comma belongs to the cell. */
function quotedAt(text: string, start: number): Cell {
  let cell = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return [cell + text.slice(from), text.length];
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const [rest, end] = plainAt(text, quote + 1);
      return [cell + rest, end];
    }
    cell += '"';
    from = quote + 2;
  }
}
