import { removeInvented } from "./citations.ts";
import type { KnownSources } from "./known-sources.ts";
import { unsourcedSentences } from "./unsourced-sentences.ts";

/** An answer is an event of the log, so each part of it has a limit. */
const NAMED_MAX = 10;
const NAME_CHARS_MAX = 200;

export type SourceCheck = {
  /** Without invented sources. */
  readonly text: string;
  /** The faults in its sources, one sentence each; with any fault, the answer is partial. */
  readonly faults: readonly string[];
};

/**
 * Checks the sources that a model cites: sources that no step of the plan knows are removed and listed.
 *
 * @param options.invented - More invented sources, such as ids from the model's list of sources.
 * @param options.required - Whether each sentence with a figure or a name must cite a source.
 */
export function checkSources(
  text: string,
  known: KnownSources,
  { invented = [], required = false }: { readonly invented?: readonly string[]; readonly required?: boolean },
): SourceCheck {
  const { text: kept, removed } = removeInvented(text, known);
  const gone = [...new Set([...removed, ...invented])];
  const bare = required ? unsourcedSentences(kept, known) : [];
  const faults = [
    ...(gone.length === 0 ? [] : [`Removed sources that no step of this plan has: ${listed(gone)}.`]),
    ...(bare.length === 0
      ? []
      : [`Without a source: ${listed(bare.map((sentence) => `"${shorten(sentence)}"`))}.`]),
  ];
  return { text: kept, faults };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).map((name) => (name.startsWith('"') ? name : shorten(name)));
  const left = names.length - shown.length;
  return left === 0 ? shown.join(", ") : `${shown.join(", ")} and ${left} more`;
}

function shorten(text: string): string {
  return text.length <= NAME_CHARS_MAX ? text : `${text.slice(0, NAME_CHARS_MAX)}…`;
}
