import type { ReactNode } from "react";
import type { ArtifactRef, Json } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatBytes } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { SaveLink } from "../ui/save-link.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { ARTIFACT_IMAGE, ARTIFACT_PAGE, ARTIFACT_TEXT } from "./value-words.ts";
import { DataTable } from "./data-table.tsx";
import { Folded } from "./folded.tsx";
import { JsonTree } from "./json-tree.tsx";
import { Markdown } from "./markdown.tsx";
import { readJson } from "./read-json.ts";
import { tableOf, type Table } from "./table-of.ts";

type Props = {
  readonly planId: string;
  readonly artifact: Pick<ArtifactRef, "name" | "contentType" | "bytes">;
};

/** A file of the plan: shown as a picture, page, table or text if it is one, and always as a link. */
export function ArtifactView({ planId, artifact }: Props) {
  const { gateway } = useServices();
  const { name, contentType, bytes } = artifact;
  const isPage = contentType.startsWith("text/html");
  const isImage = contentType.startsWith("image/") || name.endsWith(".svg");
  const textKind = isPage || isImage ? undefined : textKindOf(artifact);
  return (
    <figure className="grid gap-2">
      {isImage && <ArtifactImage planId={planId} name={name} />}
      {isPage && <ArtifactPage planId={planId} name={name} />}
      {textKind !== undefined && <ArtifactText planId={planId} artifact={artifact} kind={textKind} />}
      <figcaption className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-faint">
        <SaveLink
          href={gateway.artifactUrl(planId, name)}
          name={name}
          load={(signal) => gateway.artifact(planId, name, signal)}
        >
          <Icon className="align-[-2px]" name="file" size={14} /> {name}
        </SaveLink>
        <span>
          {contentType}
          {bytes > 0 && ` · ${formatBytes(bytes)}`}
        </span>
      </figcaption>
    </figure>
  );
}

type FetchedProps<Value> = {
  readonly planId: string;
  readonly name: string;
  readonly what: string;
  readonly read: (blob: Blob) => Promise<Value>;
  readonly children: (value: Value) => ReactNode;
};

/** The content of a file, once it is loaded. */
function Fetched<Value>({ planId, name, what, read, children }: FetchedProps<Value>) {
  const { gateway } = useServices();
  const loaded = useLoaded(`${planId}/${name}`, 0, async (signal) =>
    read(await gateway.artifact(planId, name, signal)),
  );
  if (loaded.phase === "loading") return <Loading className="h-15" what={what} />;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  return children(loaded.value);
}

const textIn = (blob: Blob) => blob.text();

/** Precedes the page's own markup, regardless of its author: the page cannot load anything. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

type NamedProps = { readonly planId: string; readonly name: string };

/** A page that a step produced, in a frame that runs no scripts and sends nothing. */
function ArtifactPage({ planId, name }: NamedProps) {
  return (
    <Fetched planId={planId} name={name} what={ARTIFACT_PAGE.loading(name)} read={textIn}>
      {(page) => (
        <iframe
          className="block h-120 w-full rounded-md border border-line bg-[#fff]"
          title={ARTIFACT_PAGE.page(name)}
          sandbox=""
          referrerPolicy="no-referrer"
          srcDoc={POLICY + page}
        />
      )}
    </Fetched>
  );
}

/** A picture that a step made. As an image, an SVG can neither run scripts nor load anything. */
function ArtifactImage({ planId, name }: NamedProps) {
  const { gateway, apiKey } = useServices();
  if (apiKey.current() === undefined) return <Picture src={gateway.artifactUrl(planId, name)} name={name} />;
  // An image element cannot send the key, so the page fetches the picture.
  return (
    <Fetched planId={planId} name={name} what={ARTIFACT_IMAGE.loading(name)} read={dataUrl}>
      {(src) => <Picture src={src} name={name} />}
    </Fetched>
  );
}

/** On white, because charts are drawn in dark colours. */
function Picture({ src, name }: { src: string; name: string }) {
  return (
    <img
      className="block min-h-15 max-w-full rounded-md border border-line bg-[#fff] p-2.5"
      src={src}
      alt={ARTIFACT_IMAGE.image(name)}
      loading="lazy"
    />
  );
}

function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  // `readAsDataURL` results in a string.
  reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
  reader.onerror = () => reject(new Error("the image cannot be loaded", { cause: reader.error }));
  reader.readAsDataURL(blob);
  return promise;
}

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

/** The kind of a text file; undefined when it is not text, or too large to show. */
export function textKindOf({ name, contentType, bytes }: File): TextKind | undefined {
  if (bytes > BYTES_MAX) return undefined;
  const type = contentType.split(";")[0]?.trim() ?? "";
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending];
  return Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
}

/** A text that a step wrote: a table, Markdown, JSON, or plain text. */
export function ArtifactText({ planId, artifact, kind }: { planId: string; artifact: File; kind: TextKind }) {
  const { name, bytes } = artifact;
  const what = ARTIFACT_TEXT.loading(name, formatBytes(bytes));
  return (
    <Fetched planId={planId} name={name} what={what} read={textIn}>
      {(text) => <TextOf kind={kind} text={text} />}
    </Fetched>
  );
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
 * A text of comma-separated values (RFC 4180, the first row is the header) as a table; numeric cells become numbers.
 *
 * Linear. Undefined when there is only a header, or too many columns to read.
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

/** Stops reading after one row more than can be shown. */
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

/** A quote inside is written twice; any text between the last quote and the next comma belongs to the cell. */
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
