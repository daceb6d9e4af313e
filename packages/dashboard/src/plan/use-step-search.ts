import { useMemo } from "react";
import type { StepView } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";
import { findSteps } from "./find-steps.ts";

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

/** A search for a plan's steps. The URL holds it, so that all tabs with a search share it. */
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
