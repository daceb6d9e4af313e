/** Links from metrics to the plans that they count: the table of plans, filtered by their end. */
import type { Metrics } from "../api/api-types.ts";
import { type ListFilter, textOf } from "../plans/list-filter.ts";

/** What plans are counted in. */
type Counted = Pick<ListFilter, "outcome" | "tool" | "failedTool">;

/** A part of time; without a start, from the beginning. */
export type Span = { readonly from?: string | undefined; readonly to: string };

/** @param of - Whose strategy is looked at, if not all. */
export function plansHref({ from, to }: Span, of: Pick<Metrics, "strategy">, counted: Counted = {}): string {
  const filter: ListFilter = {
    ...counted,
    ...(of.strategy !== undefined && { strategy: of.strategy }),
    ...(from !== undefined && { endedSince: from }),
    endedBefore: to,
    subPlans: "none",
  };
  return `/plans${textOf(filter)}`;
}
