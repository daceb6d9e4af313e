/** A tool's output in a suitable form: a table, text, search results, a picture, or JSON. */
import type { ArtifactRef, Json, JsonObject } from "../api/api-types.ts";
import { Notice } from "../ui/notice.tsx";
import { ArtifactView } from "./artifact-view.tsx";
import { DataTable } from "./data-table.tsx";
import { JsonTree } from "./json-tree.tsx";
import { Markdown } from "./markdown.tsx";
import { tableOf } from "./table-of.ts";
import { SEARCH_HITS, VALUE_VIEW } from "./value-words.ts";
import { isObject } from "./is-object.ts";

export function ValueView({ value, planId }: { value: Json; planId: string }) {
  if (typeof value === "string") return <Text text={value} />;
  if (typeof value === "number" || typeof value === "boolean")
    return <p className="text-xl font-semibold tabular-nums">{String(value)}</p>;
  const table = tableOf(value);
  if (table !== undefined) return <DataTable table={table} />;
  if (value === null || Array.isArray(value)) return <JsonTree value={value} />;
  return <ObjectView value={value} planId={planId} />;
}

function ObjectView({ value, planId }: { value: JsonObject; planId: string }) {
  const { text, value: only, hits } = value;
  const artifact = artifactOf(value);
  if (artifact !== undefined) return <ArtifactView planId={planId} artifact={artifact} />;
  const { artifacts, rest } = artifactsOf(value);
  if (artifacts.length > 0) return <ArtifactViews planId={planId} artifacts={artifacts} rest={rest} />;
  if (Array.isArray(hits)) return <SearchHits hits={hits} />;
  if (typeof text === "string") return <TextWithFields text={text} value={value} />;
  if (Object.keys(value).length === 1 && only !== undefined)
    return <ValueView value={only} planId={planId} />;
  return <JsonTree value={value} />;
}

type ArtifactViewsProps = {
  readonly planId: string;
  readonly artifacts: readonly ArtifactRef[];
  readonly rest: JsonObject;
};

function ArtifactViews({ planId, artifacts, rest }: ArtifactViewsProps) {
  return (
    <>
      {artifacts.map((artifact) => (
        <ArtifactView key={artifact.name} planId={planId} artifact={artifact} />
      ))}
      {Object.keys(rest).length > 0 && <JsonTree value={rest} />}
    </>
  );
}

/** A fetched page or a written text: the text, followed by its other fields. */
function TextWithFields({ text, value }: { text: string; value: JsonObject }) {
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== "text"));
  return (
    <>
      <Text text={text} />
      {Object.keys(rest).length > 0 && <JsonTree value={rest} />}
    </>
  );
}

function Text({ text }: { text: string }) {
  return text.trim() === "" ? <p className="soft">{VALUE_VIEW.emptyText}</p> : <Markdown text={text} />;
}

/** Search results: the source of each, with an excerpt. */
function SearchHits({ hits }: { hits: readonly Json[] }) {
  if (hits.length === 0) return <Notice icon="search" title={SEARCH_HITS.noResults} />;
  return (
    <ol className="grid gap-2.5">
      {hits.map((hit, index) => {
        const { title, path, snippet } = asFields(hit);
        return (
          // The list of hits never changes; two can be equal.
          <li key={index} className="rounded-md border border-line px-3 py-2.5">
            <strong>{title ?? path}</strong>
            {path !== undefined && <code className="ml-2 text-faint">{path}</code>}
            <p className="mt-1 text-sm text-soft">{snippet}</p>
          </li>
        );
      })}
    </ol>
  );
}

function asFields(hit: Json): { title?: string; path?: string; snippet?: string } {
  if (typeof hit !== "object" || hit === null || Array.isArray(hit))
    return { snippet: typeof hit === "string" ? hit : JSON.stringify(hit) };
  const fields: { title?: string; path?: string; snippet?: string } = {};
  for (const name of ["title", "path", "snippet"] as const) {
    const value = hit[name];
    if (typeof value === "string") fields[name] = value;
  }
  return fields;
}

/** The file that a tool reports in its output: `{artifact: {name, contentType, bytes}}`; undefined for other outputs. */
export function artifactOf({ artifact }: JsonObject): ArtifactRef | undefined {
  if (!isObject(artifact)) return undefined;
  const { name, contentType, bytes } = artifact;
  if (typeof name !== "string" || name === "") return undefined;
  return { name, contentType: textOr(contentType, ""), bytes: typeof bytes === "number" ? bytes : 0 };
}

/** The files of a tool that writes several, one in each of some fields, and its other fields. */
export function artifactsOf(output: JsonObject): {
  readonly artifacts: readonly ArtifactRef[];
  readonly rest: JsonObject;
} {
  const fields = Object.entries(output).map(([key, value]) => {
    return { key, value, artifact: isObject(value) ? artifactOf(value) : undefined };
  });
  return {
    artifacts: fields.flatMap(({ artifact }) => artifact ?? []),
    rest: Object.fromEntries(
      fields.flatMap(({ key, value, artifact }) => (artifact === undefined ? [[key, value]] : [])),
    ),
  };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
