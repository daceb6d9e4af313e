import type { ArtifactRef } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatBytes } from "../ui/format.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { DataTable } from "./data-table.tsx";
import { Folded } from "./folded.tsx";
import { JsonTree } from "./json-tree.tsx";
import { Markdown } from "./markdown.tsx";
import { parseCsv } from "./parse-csv.ts";
import { readJson } from "./read-json.ts";
import { tableOf } from "./table-of.ts";
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
