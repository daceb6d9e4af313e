import { useEffect, useMemo, useState, useRef } from "react";
import type { PlanCount } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { browserMemory, type Memory } from "../ui/browser-memory.ts";
import { useStore, createStore, type Store } from "../ui/create-store.ts";
import {
  BUILT_IN_VIEWS,
  countFields,
  NEEDS_APPROVAL,
  type ListFilter,
  type ListView,
  OPEN_STATUSES,
  OUTCOMES,
  textOf,
  readFilter,
  queryOf,
} from "./list-filter.ts";
import { type Coalesced, coalesce } from "../live/coalesce.ts";

const STATUS_FILTERS: readonly ListFilter[] = ["open", ...OPEN_STATUSES, ...OUTCOMES].map((status) => ({
  status,
}));

/** The views, with the number of plans in each, and the panel of filters. */
type ViewFilters = {
  /** The built-in views, then the user's own. */
  readonly views: readonly ListView[];
  readonly own: readonly ListView[];
  readonly saved: SavedViews;
  readonly counts: ReadonlyMap<string, PlanCount>;
  /** The number of active filters for the button's label: ` (2)`, or nothing. */
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

/** Shares the counts with other parts of the page: the views need them anyway. */
function usePublished(counts: ViewFilters["counts"]): void {
  const { planCounts } = useServices();
  const all = counts.get(textOf({}))?.count;
  const needsApproval = counts.get(textOf(NEEDS_APPROVAL))?.count;
  useEffect(() => {
    if (all !== undefined && needsApproval !== undefined) planCounts.set({ all, needsApproval });
  }, [planCounts, all, needsApproval]);
}

const STORAGE_KEY = "planwright.views";
/** The list views that the user has saved in this browser. */
export const VIEWS_MAX = 20;
export const VIEW_NAME_CHARS_MAX = 40;

export type SavedViews = {
  readonly views: Store<readonly ListView[]>;
  /** Replaces a view of the same name; drops the oldest when there are too many. */
  readonly save: (view: ListView) => void;
  readonly remove: (name: string) => void;
};

/** @param storage - Keeps the views beyond the page's lifetime. */
export function createSavedViews(storage: Pick<Memory, "getItem" | "setItem">): SavedViews {
  const views = createStore(readViews(storage));
  const keep = (next: readonly ListView[]): void => {
    views.set(next);
    storage.setItem(STORAGE_KEY, JSON.stringify(next.map(({ name, filter }) => [name, textOf(filter)])));
  };
  const without = (name: string) => views.get().filter((view) => view.name !== name);
  return {
    views,
    save: (view) => keep([...without(view.name), view].slice(-VIEWS_MAX)),
    remove: (name) => keep(without(name)),
  };
}

function readViews(storage: Pick<Memory, "getItem">): readonly ListView[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, VIEWS_MAX).flatMap((entry: unknown) => {
      if (!Array.isArray(entry)) return [];
      const [name, search] = entry as unknown[];
      if (typeof name !== "string" || typeof search !== "string" || name === "") return [];
      return [{ name: name.slice(0, VIEW_NAME_CHARS_MAX), filter: readFilter(search) }];
    });
  } catch {
    return [];
  }
}

const COUNT_MS = 2_500;

/**
 * The number of plans of each view, keyed by the view's text. Views that have not been counted yet are absent.
 *
 * @param version - When it changes, the plans are counted again, at a limited rate.
 */
export function useViewCounts(
  filters: readonly ListFilter[],
  version: number,
): ReadonlyMap<string, PlanCount> {
  const { gateway } = useServices();
  const [counts, setCounts] = useState<ReadonlyMap<string, PlanCount>>(new Map());
  const counter = useRef<Coalesced>(undefined);
  const texts = filters.map(textOf);
  const wanted = useRef(filters);
  wanted.current = filters;
  useEffect(() => {
    const closing = new AbortController();
    const count = async (): Promise<void> => {
      const now = Date.now();
      const asked = wanted.current;
      const searches = asked.map((filter) => new URLSearchParams(queryOf(filter, now)).toString());
      // On failure the counts stay as they were; the list shows the error.
      const found = await gateway.countPlans(searches, closing.signal).catch(() => undefined);
      if (found === undefined || closing.signal.aborted) return;
      const named = asked.map((filter, index) => [textOf(filter), found.counts[index]] as const);
      setCounts(new Map(named.filter((entry): entry is [string, PlanCount] => entry[1] !== undefined)));
    };
    const opened = coalesce(count, { intervalMs: () => COUNT_MS, now: () => performance.now() });
    counter.current = opened;
    return () => {
      closing.abort();
      opened.stop();
    };
  }, [gateway]);
  useEffect(() => counter.current?.request(), [texts.join("\n"), version, gateway]);
  return counts;
}

export function countText({ count, more }: PlanCount): string {
  return `${count.toLocaleString("en")}${more ? "+" : ""}`;
}
