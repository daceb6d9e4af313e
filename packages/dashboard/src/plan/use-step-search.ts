import { useMemo } from "react";
import type { StepView } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";
import { findSteps } from "./find-steps.ts";

/** Fewer steps are found by looking. */
const SEARCHED_MIN = 10;

export type StepSearch = {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** In the plan's order; undefined when nothing is searched for. */
  readonly found: readonly StepView[] | undefined;
  /** Of how many steps. */
  readonly total: number;
  /** Whether there is so much that a search is worth its place, or one is going on. */
  readonly isOffered: boolean;
};

/** A search for steps of a plan. The address keeps it, for all tabs that search. */
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
