/** The entries of the palette, and how a search finds and ranks them. */
import type { ActionGroup, KeyBinding } from "../keys/key-map.ts";
import type { PlanSummary } from "../api/api-types.ts";

export type EntryGroup = ActionGroup | "plans" | "docs";

export type Entry = {
  /** Unique among all entries. */
  readonly id: string;
  readonly title: string;
  readonly group: EntryGroup;
  /** The keys for the same action, as in {@link KeyBinding}. */
  readonly keys?: string | undefined;
  /** Shown beside the title, and searched too. */
  readonly about?: string | undefined;
  readonly plan?: PlanSummary | undefined;
} & (
  | { readonly run: () => void; readonly href?: undefined }
  /** A page of the dashboard, or a file of the gateway when it is `external`. */
  | { readonly href: string; readonly external?: boolean; readonly run?: undefined }
);

export type EntryList = { readonly group: EntryGroup; readonly entries: readonly Entry[] };

/** Without a search, a group shows fewer entries: typing is faster than reading a long list. */
const UNSEARCHED_MAX: Readonly<Record<EntryGroup, number>> = {
  page: 6,
  everywhere: 8,
  places: 9,
  plans: 5,
  docs: 0,
};
const SEARCHED_MAX = 8;
/** Groups that need no request come first, so that they do not move when plans arrive. */
const SEARCHED_ORDER: readonly EntryGroup[] = ["page", "everywhere", "places", "plans", "docs"];
const UNSEARCHED_ORDER: readonly EntryGroup[] = ["plans", "page", "places", "everywhere"];
/** In the palette, this key closes it. */
const NO_ACTION = "Escape";

/** The actions of the page that can be run. */
export function actionsOf(bindings: readonly KeyBinding[]): Entry[] {
  return bindings.flatMap(({ keys, label, group = "page", run }) =>
    run === undefined || keys === NO_ACTION
      ? []
      : [{ id: `action ${keys ?? label}`, title: label, group, keys, run }],
  );
}

export function planEntry(plan: PlanSummary): Entry {
  const href = `/plans/${encodeURIComponent(plan.planId)}`;
  return { id: `plan ${plan.planId}`, title: plan.goal, group: "plans", href, plan };
}

/**
 * Selects and sorts what the palette shows.
 *
 * @param entries - Plans in it were found by the gateway and stay in its order.
 */
export function listEntries(entries: readonly Entry[], query: string): EntryList[] {
  const words = wordsOf(query);
  const isSearch = words.length > 0;
  return (isSearch ? SEARCHED_ORDER : UNSEARCHED_ORDER).flatMap((group) => {
    const own = entries.filter((entry) => entry.group === group);
    const found = isSearch && group !== "plans" ? ranked(own, words) : own;
    const shown = found.slice(0, isSearch ? SEARCHED_MAX : UNSEARCHED_MAX[group]);
    return shown.length === 0 ? [] : [{ group, entries: shown }];
  });
}

function ranked(entries: readonly Entry[], words: readonly string[]): Entry[] {
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((left, right) => right.rank - left.rank)
    .map(({ entry }) => entry);
}

/** 0 when a word does not occur. Words in the title count more than those beside it, and the title's first word most. */
function rankOf({ title, about = "" }: Entry, words: readonly string[]): number {
  const [titleWords, aboutWords] = [wordsOf(title), wordsOf(about)];
  let rank = 0;
  for (const word of words) {
    const inTitle = titleWords.findIndex((one) => one.startsWith(word));
    if (inTitle !== -1) rank += inTitle === 0 ? 4 : 3;
    else if (aboutWords.some((one) => one.startsWith(word))) rank += 1;
    else return 0;
  }
  return rank;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
