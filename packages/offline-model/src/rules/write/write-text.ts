/** Writes for one step: an extract of its context, or an explanation when there is nothing to extract. */
import { z } from "zod";
import { parseJson, type WritePrompt } from "../../prompt/plan-prompt.ts";
import { type Hit, readOutput, type Row } from "../judge/read-output.ts";
import { bestPassage, relevantHits, sectionOf } from "../judge/tell-output.ts";
import { NOTICE, OUT_OF_SCOPE } from "../notice.ts";
import { formatValue, shorten, formatNamed, spokenName } from "../text/format-value.ts";
import { unableText } from "./unable-text.ts";
import { readWishes } from "../plan/read-wishes.ts";
import { numberOf } from "../text/words.ts";

const TEXT_CHARS_MAX = 20_000;
const HITS_MAX = 6;

/** Requests a text unchanged: a plan's statement that something cannot be done. */
export const REPEAT = "Reply with exactly this text: ";

export function writeText({ task, context }: WritePrompt): string {
  if (task.startsWith(REPEAT)) return task.slice(REPEAT.length).trim();
  const entries = context === null ? [] : entriesOf(parseJson(context) ?? context);
  // The first line is the task, the rest gives the goal.
  const wanted = task.trimStart().split("\n", 1)[0] ?? "";
  if (entries.length === 0 || readWishes(wanted).text === "creative") return unableText(wanted);
  const sections = wantsComparison(wanted)
    ? compareEntries(entries, task)
    : entries.map((entry) => section(entry, task));
  const body = sections.filter((text) => text !== "").join("\n\n");
  if (sections.every((text) => text === "" || text.endsWith(NOTHING))) return OUT_OF_SCOPE;
  if (body === "") return `The results hold nothing about “${shorten(wanted, 160)}” (${NOTICE}).`;
  return `${shorten(body, TEXT_CHARS_MAX)}\n\n_Put together by the ${NOTICE}; tables and quotations only._`;
}

const NOTHING = "Nothing was found.";

type Entry = { readonly label: string; readonly value: unknown };

/** A record of named results; any other value is one unnamed result. */
function entriesOf(context: unknown): readonly Entry[] {
  if (context === null || context === undefined || context === "") return [];
  const record = z.record(z.string(), z.unknown()).safeParse(context);
  if (!record.success || readOutput(context).kind !== "other") return [{ label: "", value: context }];
  return Object.entries(record.data).map(([label, value]) => ({ label, value }));
}

function wantsComparison(task: string): boolean {
  return /\b(compar|versus|vs\b|table|differ)/i.test(task);
}

/** Passages side by side, by subject or by section; other results follow unchanged. */
function compareEntries(entries: readonly Entry[], task: string): readonly string[] {
  const isPassage = ({ value }: Entry) => ["hits", "page"].includes(readOutput(value).kind);
  const passages = entries.filter(isPassage);
  const others = entries.filter((entry) => !isPassage(entry)).map((entry) => section(entry, task));
  if (passages.length > 1 && haveOwnSubjects(passages)) return [comparisonTable(passages, task), ...others];
  const table = sectionsTable(
    passages.map(({ value }) => value),
    task,
  );
  return table === null ? entries.map((entry) => section(entry, task)) : [table, ...others];
}

function section({ label, value }: Entry, task: string): string {
  const output = readOutput(value);
  const heading = label === "" ? "" : `## ${label}\n\n`;
  const about = label === "" ? task : label;
  switch (output.kind) {
    case "rows":
      return `${heading}${output.rows.length === 0 ? "No row matches." : rowsTable(output.rows)}`;
    case "hits":
      return `${heading}${quotations(label === "" ? output.hits : relevantHits(output.hits, label, HITS_MAX), about)}`;
    case "page":
      return `${heading}${bestPassage(output.text, task, 1_500)} (${output.url})`;
    case "text":
      return `${heading}${output.text}`;
    case "value":
      return `${heading}${formatValue(output.value)}`;
    case "saved":
    case "drawn":
      return "";
    case "other":
      if (typeof output.value === "string") return `${heading}${bestPassage(output.value, task, 1_500)}`;
      if (Array.isArray(output.value)) return `${heading}${listText(output.value, about)}`;
      return `${heading}${shorten(formatValue(output.value), 1_500)}`;
    default:
      return output satisfies never;
  }
}

function quotations(hits: readonly Hit[], about: string): string {
  if (hits.length === 0) return NOTHING;
  return hits
    .slice(0, HITS_MAX)
    .map((hit) => `- ${bestPassage(hit.snippet, about)} (${hit.path})`)
    .join("\n");
}

/** A plain list, as `{"$ref": "s1.output.rows"}` or `….hits` returns it. */
function listText(items: readonly unknown[], about: string): string {
  const asRows = readOutput({ rows: items });
  const asHits = readOutput({ hits: items });
  if (asHits.kind === "hits") return section({ label: "", value: { hits: items } }, about);
  if (asRows.kind === "rows") return rowsTable(asRows.rows);
  return items
    .slice(0, 50)
    .map((item) => `- ${shorten(formatValue(item), 300)}`)
    .join("\n");
}

const ROWS_MAX = 50;

/** Markdown tables of results. */
function rowsTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.slice(0, ROWS_MAX).flatMap((row) => Object.keys(row)))];
  const lines = rows
    .slice(0, ROWS_MAX)
    .map((row) => line(columns.map((name) => formatNamed(name, row[name]))));
  const more = rows.length > ROWS_MAX ? `\n\n(${rows.length} rows in all)` : "";
  return [line(columns.map(spokenName)), line(columns.map(() => "---")), ...lines].join("\n") + more;
}

type Passages = { readonly label: string; readonly value: unknown };

/** `Vendor A pricing` and `Vendor B pricing` are two subjects; `pricing` and `pricing of all` are not. */
function haveOwnSubjects(entries: readonly Passages[]): boolean {
  const shared = sharedWords(entries.map(({ label }) => label));
  return entries.every(({ label }) => subjectOf(label, shared) !== "");
}

/** One line per subject: a quote from its best passage, with the source. */
function comparisonTable(entries: readonly Passages[], task: string): string {
  const shared = sharedWords(entries.map(({ label }) => label));
  const lines = entries.map(({ label, value }) => {
    const output = readOutput(value);
    const subject = `${label} ${task}`;
    const name = subjectOf(label, shared) || label;
    if (output.kind === "page") return line([name, bestPassage(output.text, subject), output.url]);
    const [hit] = output.kind === "hits" ? relevantHits(output.hits, label) : [];
    if (hit === undefined) return line([name, "nothing was found", "—"]);
    return line([name, bestPassage(hit.snippet, subject), hit.path]);
  });
  return table(["", "what the sources say", "source"], lines);
}

/**
 * One line per section of the document with most passages, if its sections describe things: those that
 * mention their own title in their text. Null when there are fewer than two.
 */
function sectionsTable(values: readonly unknown[], task: string): string | null {
  const outputs = values.map(readOutput);
  const hits = outputs.flatMap((output) => (output.kind === "hits" ? output.hits : []));
  const things = hits.filter((hit) => sectionOf(hit) !== "" && hit.snippet.includes(sectionOf(hit)));
  const paths = things.map(({ path }) => path);
  const path = paths.toSorted((a, b) => countOf(paths, b) - countOf(paths, a))[0];
  const unique = new Map(things.filter((hit) => hit.path === path).map((hit) => [hit.title, hit]));
  if (unique.size < 2) return null;
  const wanted = numberOf(/\btop\s+(\w+)/i.exec(task)?.[1] ?? "") ?? unique.size;
  const lines = [...unique.values()]
    .slice(0, Math.max(2, wanted))
    .map((hit) => line([sectionOf(hit), bestPassage(hit.snippet, task), hit.path]));
  return table(["", "what the documents say", "source"], lines);
}

function countOf(items: readonly string[], item: string): number {
  return items.filter((other) => other === item).length;
}

function table(heads: readonly string[], lines: readonly string[]): string {
  return [line(heads), line(heads.map(() => "---")), ...lines].join("\n");
}

/** The words in every label: they name the compared aspect, the others the subject. */
function sharedWords(labels: readonly string[]): ReadonlySet<string> {
  const [first = [], ...rest] = labels.map((label) => label.toLowerCase().split(/\s+/));
  return new Set(first.filter((word) => rest.every((words) => words.includes(word))));
}

/** The label up to the shared words at its end: `Vendor A pricing` → `Vendor A`; empty when all are shared. */
function subjectOf(label: string, shared: ReadonlySet<string>): string {
  const words = label.split(/\s+/);
  if (words.every((word) => shared.has(word.toLowerCase()))) return "";
  while (shared.has((words.at(-1) ?? "").toLowerCase())) words.pop();
  return words.join(" ");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => shorten(cell.replace(/\s+/g, " ").replaceAll("|", "\\|"), 500)).join(" | ")} |`;
}
