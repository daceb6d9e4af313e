import { type ListFilter, textOf } from "../plans/list-filter.ts";
import { setFilter } from "../plans/use-list-filter.ts";
import { Notice } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { NO_PLANS } from "./plans-table-words.ts";

/** Says why the table is empty, and what to do about it. */
export function NoPlans({ filter }: { readonly filter: ListFilter }) {
  if (textOf(filter) === "") {
    return <EmptyState of="plans" />;
  }
  return (
    <Notice icon="search" title={NO_PLANS.noMatchingPlans}>
      <p>{NO_PLANS.hint}</p>
      <button type="button" className="button" onClick={() => setFilter({})}>
        {NO_PLANS.clearFilters}
      </button>
    </Notice>
  );
}
