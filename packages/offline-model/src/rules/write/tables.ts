/** Markdown tables of results. */
import { bestPassage, relevantHits, sectionOf } from "../judge/quote-passages.ts";
import { readOutput, type Row } from "../judge/read-output.ts";
import { formatNamed, shorten, spokenName } from "../text/format-value.ts";
import { numberOf } from "../text/words.ts";

const ROWS_MAX = 50;

export function rowsTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.slice(0, ROWS_MAX).flatMap((row) => Object.keys(row)))];
  const lines = rows
    .slice(0, ROWS_MAX)
    .map((row) => line(columns.map((name) => formatNamed(name, row[name]))));
  const more = rows.length > ROWS_MAX ? `\n\n(${rows.length} rows in all)` : "";
  return [line(columns.map(spokenName)), line(columns.map(() => "---")), ...lines].join("\n") + more;
}

type Passages = { readonly label: string; readonly value: unknown };

/** `Vendor A pricing` and `Vendor B pricing` are two subjects; `pricing` and `pricing of all` are not. */
export function haveOwnSubjects(entries: readonly Passages[]): boolean {
  const shared = sharedWords(entries.map(({ label }) => label));
  return entries.every(({ label }) => subjectOf(label, shared) !== "");
}

/** One line a subject: what its best passage says, and where that stands. */
export function comparisonTable(entries: readonly Passages[], task: string): string {
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
 * One line a section of the document that most passages come from, when its sections are things: those that
 * name their own title in their text. Null when there are no two of them.
 */
export function sectionsTable(values: readonly unknown[], task: string): string | null {
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

/** The words of every label: they say what is compared, the others who. */
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
