import { type ListFilter, textOf } from "../plans/list-filter.ts";
import { setFilter } from "../plans/use-list-filter.ts";
import { Link } from "../router/link.tsx";
import { Notice } from "../ui/notice.tsx";

/** Says why the table is empty, and what to do about it. */
export function NoPlans({ filter }: { readonly filter: ListFilter }) {
  if (textOf(filter) === "") {
    return (
      <Notice icon="inbox" title="No plans yet">
        <p>
          A plan appears here as soon as you submit a goal, on the start page, with{" "}
          <code>planwright submit</code> or through the API.
        </p>
        <Link className="button button-primary" href="/">
          Submit a goal
        </Link>
      </Notice>
    );
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
