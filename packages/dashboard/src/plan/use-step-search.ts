import { useMemo } from "react";
import type { StepView } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";
import { lookOf } from "../ui/status-badge.tsx";

/** A plan with no more steps than this needs no search. */
const SEARCHED_MIN = 10;

export type StepSearch = {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The matches in the plan's order; undefined if there is no search. */
  readonly found: readonly StepView[] | undefined;
  /** Number of steps searched. */
  readonly total: number;
  /** Whether to show the search field: there are many steps, or a search is active. */
  readonly isOffered: boolean;
};

/** The search for a plan's steps. Kept in the address, so that all tabs with a search share it. */
export function useStepSearch(steps: readonly StepView[]): StepSearch {
  const [field = "", setField] = useSearchField("find");
  const found = useMemo(() => findSteps(field, steps), [field, steps]);
  return {
    text: field,
    setText: (text) => setField(text === "" ? undefined : text),
    found,
    total: steps.length,
    isOffered: steps.length > SEARCHED_MIN || field !== "",
  };
}

/** Ignores text beyond this limit: an address can contain anything. */
const SEARCH_CHARS_MAX = 200;

type Found = Pick<StepView, "id" | "description" | "tool" | "status" | "workerId"> & {
  readonly items?: readonly Pick<NonNullable<StepView["items"]>[number], "workerId">[] | undefined;
};

/**
 * The steps that contain every word of a search in their id, description, tool, status (as on the page or in the log) or
 * worker, including those of their items. Ignores case; keeps the given order.
 *
 * @returns Undefined when there is no search text.
 */
export function findSteps<Step extends Found>(
  search: string,
  steps: readonly Step[],
): readonly Step[] | undefined {
  const words = search.slice(0, SEARCH_CHARS_MAX).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return steps.filter((step) => {
    const text = textOf(step);
    return words.every((word) => text.includes(word));
  });
}

function textOf({ id, description, tool, status, workerId, items = [] }: Found): string {
  const workers = new Set([workerId, ...items.map((item) => item.workerId)]);
  return [id, description, tool, status, lookOf(status).label, ...workers].join(" ").toLowerCase();
}

/**
 * The match after or before another one; the first follows the last.
 *
 * @param from - If it is not one of the matches: forward returns the first, back the last.
 */
export function matchBeside<Step extends Pick<StepView, "id">>(
  found: readonly Step[],
  from: string | undefined,
  by: 1 | -1,
): Step | undefined {
  const at = found.findIndex(({ id }) => id === from);
  if (at < 0) return found.at(by === 1 ? 0 : -1);
  return found.at((at + by) % found.length);
}
