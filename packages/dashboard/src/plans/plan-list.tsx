import "./plans.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "../router/link.tsx";
import { browserMemory } from "../ui/browser-memory.ts";
import { useStore } from "../ui/create-store.ts";
import { Icon } from "../ui/icons.tsx";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { FilterPanel } from "./filter-panel.tsx";
import {
  BUILT_IN_VIEWS,
  countFields,
  type ListFilter,
  OPEN_STATUSES,
  OUTCOMES,
  textOf,
} from "./list-filter.ts";
import type { PlanListState, PlanListStore } from "./plan-list-store.ts";
import { PlanRows } from "./plan-rows.tsx";
import { createSavedViews } from "./saved-views.ts";
import { setFilter, useListFilter } from "./use-list-filter.ts";
import { usePlanList } from "./use-plan-list.ts";
import { useViewCounts } from "./use-view-counts.ts";
import { ViewLinks } from "./view-links.tsx";

const SEARCH_DELAY_MS = 250;
const STATUS_FILTERS: readonly ListFilter[] = ["open", ...OPEN_STATUSES, ...OUTCOMES].map((status) => ({
  status,
}));

export function PlanList({ selected }: { selected: string | undefined }) {
  const [filter] = useListFilter();
  const { list, state } = usePlanList(filter);
  // A plan that was just submitted is opened at once, and belongs into the list at once.
  useEffect(() => list?.refresh(), [selected, list]);
  return (
    <>
      <Head filter={filter} version={state?.version ?? 0} />
      <div className="rail-body">
        {state?.error !== undefined && (
          <Problem error={state.error}>
            <button type="button" className="button" onClick={list?.refresh}>
              Try again
            </button>
          </Problem>
        )}
        {list !== undefined && state?.plans !== undefined ? (
          <Plans list={list} state={state} selected={selected} filter={filter} />
        ) : (
          state?.error === undefined && <Skeletons />
        )}
      </div>
    </>
  );
}

function Head({ filter, version }: { filter: ListFilter; version: number }) {
  const [open, setOpen] = useState(false);
  const saved = useMemo(() => createSavedViews(browserMemory(() => localStorage)), []);
  const own = useStore(saved.views);
  const views = [...BUILT_IN_VIEWS, ...own];
  const counted = [...views.map((view) => view.filter), ...(open ? STATUS_FILTERS : [])];
  const counts = useViewCounts(counted, version);
  const narrowed = countFields(filter);
  return (
    <div className="rail-head">
      <Link className="button button-primary rail-new" href="/">
        <Icon name="plus" />
        New goal
      </Link>
      <div className="rail-filter">
        <SearchField filter={filter} />
        <button
          type="button"
          className="button rail-more"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name="filter" size={15} />
          Filters{narrowed > 0 && ` (${narrowed})`}
        </button>
      </div>
      <ViewLinks views={views} current={textOf(filter)} counts={counts} />
      {open && <FilterPanel filter={filter} onChange={setFilter} counts={counts} saved={saved} views={own} />}
    </div>
  );
}

function SearchField({ filter }: { filter: ListFilter }) {
  const [text, setText] = useState(filter.q ?? "");
  const said = useRef(filter.q ?? "");
  // Whoever chose a view or went back in history has changed the search too.
  useEffect(() => {
    const q = filter.q ?? "";
    if (q === said.current) return;
    said.current = q;
    setText(q);
  }, [filter.q]);
  useEffect(() => {
    const q = text.trim();
    if (q === said.current) return;
    const timer = setTimeout(() => {
      said.current = q;
      setFilter({ ...filter, q });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, filter]);
  return (
    <label className="rail-search">
      <span className="visually-hidden">Search plans</span>
      <Icon name="search" size={15} />
      <input
        id="plan-search"
        className="field"
        type="search"
        placeholder="Search plans"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          document.querySelector<HTMLElement>('.plan-rows a[tabindex="0"]')?.focus();
        }}
      />
    </label>
  );
}

type PlansProps = {
  readonly list: PlanListStore;
  readonly state: PlanListState;
  readonly selected: string | undefined;
  readonly filter: ListFilter;
};

function Plans({ list, state, selected, filter }: PlansProps) {
  const { plans = [], nextCursor, olderError } = state;
  if (plans.length === 0) return <NoPlans filter={filter} />;
  return (
    <>
      <PlanRows plans={plans} selected={selected} onSight={list.look} onNearEnd={list.loadOlder} />
      {nextCursor !== undefined && olderError === undefined && (
        <p className="rail-older" role="status">
          Loading older plans…
        </p>
      )}
      {olderError !== undefined && (
        <Problem error={olderError}>
          <button type="button" className="button" onClick={list.loadOlder}>
            Load older plans
          </button>
        </Problem>
      )}
    </>
  );
}

function NoPlans({ filter }: { filter: ListFilter }) {
  if (textOf(filter) === "") {
    return (
      <Notice icon="inbox" title="No plans yet">
        <p>Submit a goal to see its plan here.</p>
      </Notice>
    );
  }
  return (
    <Notice icon="search" title="No matching plans">
      <button type="button" className="button" onClick={() => setFilter({})}>
        Show all plans
      </button>
    </Notice>
  );
}

function Skeletons() {
  return (
    <div className="plan-skeletons" aria-label="Loading plans" role="status">
      {[0, 1, 2, 3].map((index) => (
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}
