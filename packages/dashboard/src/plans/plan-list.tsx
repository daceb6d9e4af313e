import { useEffect, useMemo } from "react";
import { Link } from "../router/link.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Notice } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import { FilterPanel } from "./filter-panel.tsx";
import { type ListFilter, textOf } from "./list-filter.ts";
import type { PlanListState, PlanListStore } from "./plan-list-store.ts";
import { PlanRows } from "./plan-rows.tsx";
import { SearchField } from "./search-field.tsx";
import { setFilter, useListFilter } from "./use-list-filter.ts";
import { usePlanList } from "./use-plan-list.ts";
import { useViewFilters } from "./use-view-filters.ts";
import { ViewLinks } from "./view-links.tsx";
import { PLAN_LIST } from "./plans-words.ts";
import { COMMON } from "../ui/ui-words.ts";

export function PlanList({ selected }: { selected: string | undefined }) {
  const [filter] = useListFilter();
  const { list, state } = usePlanList(useMemo(() => ({ filter }), [filter]));
  // A plan opens as soon as it is submitted, and must appear in the list immediately.
  useEffect(() => list?.refresh(), [selected, list]);
  return (
    <>
      <Head filter={filter} version={state?.version ?? 0} />
      {/* Below the list: space that the note about the demo model covers. */}
      <div
        className="min-h-0 flex-1 overflow-y-auto px-2 pt-2 pb-10 max-lg:overflow-visible"
        data-part="rail-body"
      >
        {state?.error !== undefined && (
          <Problem error={state.error}>
            <Button onClick={list?.refresh}>{COMMON.tryAgain}</Button>
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
  const { views, own, saved, counts, narrowed, isOpen, toggle } = useViewFilters(filter, version);
  return (
    <div className="@container grid gap-2.5 border-b border-line p-3.5">
      <Link className="button button-primary max-lg:hidden" href="/">
        <Icon name="plus" />
        {PLAN_LIST.newGoal}
      </Link>
      <div className="flex gap-2 text-sm">
        <SearchField
          className="flex-1"
          filter={filter}
          firstRow={'[data-part="plan-rows"] a[tabindex="0"]'}
        />
        <Button className="flex-none px-2.5 text-sm" aria-expanded={isOpen} onClick={toggle}>
          <Icon name="filter" size={15} />
          {PLAN_LIST.filters(narrowed)}
        </Button>
      </div>
      <ViewLinks className="flex-wrap" views={views} current={textOf(filter)} counts={counts} />
      {isOpen && (
        <FilterPanel filter={filter} onChange={setFilter} counts={counts} saved={saved} views={own} />
      )}
    </div>
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
      <PlanRows plans={plans} selected={selected} onNearEnd={list.loadOlder} />
      {nextCursor !== undefined && olderError === undefined && (
        <p className="px-3 py-1.5 text-xs text-faint" role="status">
          {PLAN_LIST.loadingOlderPlans}
        </p>
      )}
      {olderError !== undefined && (
        <Problem error={olderError}>
          <Button onClick={list.loadOlder}>{PLAN_LIST.loadOlderPlans}</Button>
        </Problem>
      )}
    </>
  );
}

function NoPlans({ filter }: { filter: ListFilter }) {
  if (textOf(filter) === "") {
    return <EmptyState of="planList" />;
  }
  return (
    <Notice icon="search" title={PLAN_LIST.noMatchingPlans}>
      <Button onClick={() => setFilter({})}>{PLAN_LIST.showAllPlans}</Button>
    </Notice>
  );
}

function Skeletons() {
  return (
    <div className="grid gap-2.5 p-1.5" aria-label={PLAN_LIST.loadingPlans} role="status">
      {[0, 1, 2, 3].map((index) => (
        <div key={index} className="skeleton h-14.5" />
      ))}
    </div>
  );
}
