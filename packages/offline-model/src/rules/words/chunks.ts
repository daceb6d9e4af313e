/** Cuts a goal into phrases, each with its possible meanings. */
import { sensesAt } from "./lexicon.ts";
import type { Chunk, Words } from "./senses.ts";

/** Maximum number of ways considered; a goal has a few dozen. */
const WAYS_MAX = 1_000;

/** The ways to cut a goal into chunks, each word in exactly one of them. */
type Ways = {
  readonly ways: readonly (readonly Chunk[])[];
  /** Words without any meaning. */
  readonly unknown: readonly string[];
};

export function waysOf(words: Words): Ways {
  const { tokens } = words;
  const senses = tokens.map((_, at) => pruned(sensesAt(words, at)));
  const reachable = new Set<number>([0]);
  for (const at of tokens.keys())
    if (reachable.has(at)) for (const { end } of senses[at] ?? []) reachable.add(end);
  const covered = new Set<number>();
  for (const own of senses)
    for (const { from, end } of own) for (let at = from; at < end; at++) covered.add(at);
  const unknown = tokens.filter((_, at) => !covered.has(at)).map(({ text }) => text);
  if (unknown.length > 0 || !reachable.has(tokens.length)) return { ways: [], unknown };
  if (countOf(senses) > WAYS_MAX) return { ways: [], unknown };
  const ways: Chunk[][] = [];
  const walk = (at: number, taken: readonly Chunk[]): void => {
    if (at === tokens.length) {
      ways.push([...taken]);
      return;
    }
    for (const chunk of senses[at] ?? []) walk(chunk.end, [...taken, chunk]);
  };
  walk(0, []);
  return { ways, unknown };
}

/** The number of ways, from the end to the front. */
function countOf(senses: readonly (readonly Chunk[])[]): number {
  const counts = Array.from({ length: senses.length + 1 }, () => 0);
  counts[senses.length] = 1;
  for (const at of [...senses.keys()].toReversed())
    counts[at] = (senses[at] ?? []).reduce((sum, { end }) => sum + (counts[end] ?? 0), 0);
  return counts[0] ?? 0;
}

/** If a longer phrase has its own meaning, its first word alone has none. */
function pruned(chunks: readonly Chunk[]): readonly Chunk[] {
  const longest = Math.max(0, ...chunks.map(({ end }) => end));
  const whole = chunks.filter(({ end, cost }) => end === longest && cost < 0.8);
  const isPhrase = whole.some((chunk) => chunk.end - chunk.from > 1 && chunk.k !== "skip");
  // `name the hives` is a request, not a `hive_name`.
  const asks = chunks.filter(({ k, from }) => k === "ask" && from === 0);
  const kept = settled(isPhrase ? [...new Set([...whole, ...asks])] : chunks);
  const best = kept.filter(
    ({ k, cost }) => cost < 0.8 || !kept.some((other) => other.k === k && other.cost < 0.3),
  );
  return best.filter((chunk, index) => best.findIndex((other) => keyOf(chunk) === keyOf(other)) === index);
}

/** A word's direct meanings take precedence: rows before the column that refers to them, a value before a verb. */
function settled(chunks: readonly Chunk[]): readonly Chunk[] {
  const ents = chunks.flatMap((chunk) => (chunk.k === "ent" && chunk.cost < 0.3 ? [chunk] : []));
  const isValue = (end: number) =>
    chunks.some((chunk) => chunk.k === "val" && chunk.cost === 0 && chunk.end === end);
  const isTime = (end: number) => chunks.some((chunk) => chunk.k === "time" && chunk.end === end);
  const isNamedDay = (end: number) =>
    chunks.some(
      (chunk) =>
        chunk.k === "val" && chunk.cost === 0 && chunk.end === end && chunk.col.words.includes("weekday"),
    );
  return chunks
    .filter((chunk) => {
      if (chunk.k === "val") return !isTime(chunk.end);
      if (chunk.k === "weekday") return !isNamedDay(chunk.end);
      if (chunk.k === "verb") return !isValue(chunk.end);
      if (chunk.k === "ent" && chunk.cost >= 0.5)
        return !chunks.some((other) => other.k === "col" && other.cost === 0 && other.end === chunk.end);
      if (chunk.k !== "col") return true;
      const { col } = chunk;
      const own = ents.filter(({ end }) => end === chunk.end);
      return !own.some(({ tab }) => tab.labels.includes(col) || tab.refs.includes(col));
    })
    .map((chunk) =>
      chunk.k === "col" && chunk.col.kind === "date" && isValue(chunk.end)
        ? { ...chunk, cost: chunk.cost + 0.5 }
        : chunk,
    );
}

function keyOf(chunk: Chunk): string {
  const named =
    "col" in chunk ? `${chunk.col.table}.${chunk.col.name}` : "tab" in chunk ? chunk.tab.name : "";
  const rest = Object.entries(chunk).filter(([name]) => name !== "col" && name !== "tab" && name !== "cost");
  return `${named} ${JSON.stringify(rest)}`;
}
