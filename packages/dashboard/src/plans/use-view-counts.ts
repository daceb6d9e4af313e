import { useEffect, useRef, useState } from "react";
import type { PlanCount } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { type Coalesced, coalesce } from "../live/coalesce.ts";
import { type ListFilter, queryOf, textOf } from "./list-filter.ts";

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
      // Without an answer the counts stay as they were; the list says what is wrong.
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
