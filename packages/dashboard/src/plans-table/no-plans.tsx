import { type ListFilter, textOf } from "../plans/list-filter.ts";
import { setFilter } from "../plans/use-list-filter.ts";
import { Notice } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";

/** Says why the table is empty, and what to do about it. */
export function NoPlans({ filter }: { readonly filter: ListFilter }) {
  if (textOf(filter) === "") {
    return <EmptyState of="plans" />;
  }
  return (
    <Notice icon="search" title="No matching plans">
      <p>
        No plan matches all filters. The search looks at the beginnings of words in goals, metadata and IDs.
      </p>
      <button type="button" className="button" onClick={() => setFilter({})}>
        Clear filters
      </button>
    </Notice>
  );
}
