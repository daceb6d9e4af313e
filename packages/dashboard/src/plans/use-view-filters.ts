import { useEffect, useMemo, useState } from "react";
import type { PlanCount } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { browserMemory } from "../ui/browser-memory.ts";
import { useStore } from "../ui/create-store.ts";
import {
  BUILT_IN_VIEWS,
  countFields,
  NEEDS_APPROVAL,
  type ListFilter,
  type ListView,
  OPEN_STATUSES,
  OUTCOMES,
  textOf,
} from "./list-filter.ts";
import { createSavedViews, type SavedViews } from "./saved-views.ts";
import { useViewCounts } from "./use-view-counts.ts";

const STATUS_FILTERS: readonly ListFilter[] = ["open", ...OPEN_STATUSES, ...OUTCOMES].map((status) => ({
  status,
}));

/** What leads to other plans: views, with how many plans each has, and the panel of filters. */
type ViewFilters = {
  /** The built-in ones, then the user's own. */
  readonly views: readonly ListView[];
  readonly own: readonly ListView[];
  readonly saved: SavedViews;
  readonly counts: ReadonlyMap<string, PlanCount>;
  /** How many filters narrow the list, as the button says it: ` (2)`, or nothing. */
  readonly narrowed: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
};

/** @param version - Counts again when it changes. */
export function useViewFilters(filter: ListFilter, version: number): ViewFilters {
  const [isOpen, setOpen] = useState(false);
  const saved = useMemo(() => createSavedViews(browserMemory(() => localStorage)), []);
  const own = useStore(saved.views);
  const views = [...BUILT_IN_VIEWS, ...own];
  const counted = [...views.map((view) => view.filter), ...(isOpen ? STATUS_FILTERS : [])];
  const counts = useViewCounts(counted, version);
  usePublished(counts);
  const fields = countFields(filter);
  const narrowed = fields > 0 ? ` (${fields})` : "";
  return { views, own, saved, counts, narrowed, isOpen, toggle: () => setOpen(!isOpen) };
}

/** Other parts of the page need to know too how many plans there are: they are counted for the views anyway. */
function usePublished(counts: ViewFilters["counts"]): void {
  const { planCounts } = useServices();
  const all = counts.get(textOf({}))?.count;
  const needsApproval = counts.get(textOf(NEEDS_APPROVAL))?.count;
  useEffect(() => {
    if (all !== undefined && needsApproval !== undefined) planCounts.set({ all, needsApproval });
  }, [planCounts, all, needsApproval]);
}
