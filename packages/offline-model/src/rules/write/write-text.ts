/** Writes for one step: an extract of its context, or an honest sentence when there is nothing to extract. */
import { z } from "zod";
import { parseJson, type WritePrompt } from "../../prompt/plan-prompt.ts";
import { type Hit, readOutput } from "../judge/read-output.ts";
import { bestPassage, relevantHits } from "../judge/quote-passages.ts";
import { NOTICE, OUT_OF_SCOPE } from "../notice.ts";
import { formatValue, shorten } from "../text/format-value.ts";
import { comparisonTable, haveOwnSubjects, rowsTable, sectionsTable } from "./tables.ts";
import { unableText } from "./unable-text.ts";
import { readWishes } from "../plan/read-wishes.ts";

const TEXT_CHARS_MAX = 20_000;
const HITS_MAX = 6;

/** Asks for a text as it is: what a plan says that cannot be carried out. */
export const REPEAT = "Reply with exactly this text: ";

export function writeText({ task, context }: WritePrompt): string {
  if (task.startsWith(REPEAT)) return task.slice(REPEAT.length).trim();
  const entries = context === null ? [] : entriesOf(parseJson(context) ?? context);
  // The first line says what to write, the rest for which goal.
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

/** A record of named results; anything else is one result without a name. */
function entriesOf(context: unknown): readonly Entry[] {
  if (context === null || context === undefined || context === "") return [];
  const record = z.record(z.string(), z.unknown()).safeParse(context);
  if (!record.success || readOutput(context).kind !== "other") return [{ label: "", value: context }];
  return Object.entries(record.data).map(([label, value]) => ({ label, value }));
}

function wantsComparison(task: string): boolean {
  return /\b(compar|versus|vs\b|table|differ)/i.test(task);
}

/** Passages side by side, by subject or by section; other results follow as they are. */
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

/** A bare list, as `{"$ref": "s1.output.rows"}` or `….hits` gives it. */
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
