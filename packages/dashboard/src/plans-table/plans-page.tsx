/** All plans as a table: find, compare, sort, and act on many of them. */
import { useMemo, useRef, useState } from "react";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { usePageTitle } from "../notify/page-title.ts";
import { type ListFilter, textOf } from "../plans/list-filter.ts";
import { fieldsOf, isNewestFirst, type ListOrder, readOrder } from "../plans/list-order.ts";
import type { PlanListState, PlanListStore } from "../plans/plan-list-store.ts";
import { setFilter, useListFilter } from "../plans/use-list-filter.ts";
import { usePlanList } from "../plans/use-plan-list.ts";
import { setSearchFields, useSearchField } from "../router/use-route.ts";
import { browserMemory, type Memory } from "../ui/browser-memory.ts";
import { Button } from "../ui/button.tsx";
import { createStore, type Store, useStore } from "../ui/create-store.ts";
import { Loading, Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { useSameFunction } from "../ui/use-stable.ts";
import { COLUMNS } from "./columns.tsx";
import { NO_PLANS, PLANS_PAGE } from "./plans-table-words.ts";
import { PlansTable } from "./plans-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { NOTHING_SELECTED } from "./selection.ts";
import { TableToolbar } from "./table-toolbar.tsx";

export function PlansPage() {
  const [filter] = useListFilter();
  const order = useListOrder();
  const listed = useMemo(() => ({ filter, order }), [filter, order]);
  const { list, state } = usePlanList(listed);
  const shown = useShown(filter, state);
  const chosen = useMemo(() => createChosenColumns(browserMemory(() => localStorage)), []);
  const columns = useStore(chosen);
  usePageTitle(PLANS_PAGE.plans);
  useKeys([
    { keys: "/", label: PLANS_PAGE.searchPlans, run: () => document.getElementById("plan-search")?.focus() },
    { keys: "ArrowUp ArrowDown", label: PLANS_PAGE.moveKeys },
    { keys: " ", label: PLANS_PAGE.selectTheRow },
    { keys: "Enter", label: PLANS_PAGE.openPlan },
  ]);
  return (
    <article
      className="flex min-h-0 min-w-0 flex-col [&>.problem]:mx-4 [&>.problem]:my-1.5"
      aria-labelledby="plans-title"
    >
      <TableToolbar
        filter={filter}
        order={order}
        version={state?.version ?? 0}
        columns={columns}
        onColumns={chosen.set}
      />
      {list !== undefined && state?.error !== undefined && (
        <Problem error={state.error} again={list.refresh} />
      )}
      {shown !== undefined ? (
        // Plans selected in another view are no longer in the table.
        <Found
          key={textOf(filter)}
          {...{ list, filter, order, columns }}
          state={shown}
          isBusy={shown !== state}
        />
      ) : (
        state?.error === undefined && <Loading className="m-4 flex-1" what={PLANS_PAGE.loadingPlans} />
      )}
    </article>
  );
}

type FoundProps = {
  readonly list: PlanListStore | undefined;
  readonly state: PlanListState;
  /** Whether these are still the plans in the previous order. */
  readonly isBusy: boolean;
  readonly filter: ListFilter;
  readonly order: ListOrder;
  readonly columns: ReadonlySet<string>;
};

function Found({ list, state, isBusy, filter, order, columns }: FoundProps) {
  const { plans = [], nextCursor, olderError } = state;
  const loadOlder = useSameFunction(() => list?.loadOlder());
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const selected = plans.filter(({ planId }) => selection.ids.has(planId));
  return (
    <>
      {!isBusy && <Outdated state={state} order={order} onRefresh={() => list?.refresh()} />}
      {selected.length > 0 && (
        <SelectionBar
          selected={selected}
          loaded={plans.length}
          more={nextCursor !== undefined}
          onClear={() => setSelection(NOTHING_SELECTED)}
        />
      )}
      {plans.length === 0 ? (
        <NoPlans filter={filter} />
      ) : (
        <PlansTable
          plans={plans}
          isComplete={nextCursor === undefined}
          isBusy={isBusy}
          order={order}
          onOrder={(next) => setSearchFields(fieldsOf(next))}
          chosen={columns}
          selection={selection}
          onSelect={setSelection}
          onNearEnd={loadOlder}
        />
      )}
      {olderError !== undefined && <Problem error={olderError} again={loadOlder} />}
    </>
  );
}

/** A sorted list does not move on its own: this tells how many plans a reload would move. */
function Outdated({
  state: { misplaced, isBehind },
  order,
  onRefresh,
}: {
  readonly state: PlanListState;
  readonly order: ListOrder;
  readonly onRefresh: () => void;
}) {
  const isOutdated = !isNewestFirst(order) && (misplaced.size > 0 || isBehind);
  return (
    <div className="grid justify-center px-4 py-1 empty:hidden" role="status">
      {isOutdated && (
        <Button className="min-h-8 py-0.5 text-sm" onClick={onRefresh}>
          {misplaced.size > 0
            ? PLANS_PAGE.changed(misplaced.size, isBehind ? "+" : "")
            : PLANS_PAGE.maybeChanged}
        </Button>
      )}
    </div>
  );
}

/**
 * The plans to show: while another order loads, the previous ones stay, and with them the focus and the selection. Undefined
 * until plans of this filter have been loaded.
 */
function useShown(filter: ListFilter, state: PlanListState | undefined): PlanListState | undefined {
  const last = useRef<{ readonly filter: ListFilter; readonly state: PlanListState }>(undefined);
  if (state?.plans !== undefined) last.current = { filter, state };
  return last.current?.filter === filter ? last.current.state : undefined;
}

function useListOrder(): ListOrder {
  const [sort] = useSearchField("sort");
  const [order] = useSearchField("order");
  return useMemo(() => readOrder({ sort, order }), [sort, order]);
}

/** The user's chosen columns, kept in this browser. */
const STORAGE_KEY = "planwright.plan-columns";
const ALL: readonly string[] = COLUMNS.map(({ id }) => id);

/** All columns if nothing is stored. */
function createChosenColumns(memory: Pick<Memory, "getItem" | "setItem">): Store<ReadonlySet<string>> {
  const kept = memory.getItem(STORAGE_KEY)?.split(" ");
  const store = createStore<ReadonlySet<string>>(
    new Set(kept === undefined ? ALL : ALL.filter((id) => kept.includes(id))),
  );
  store.subscribe(() => memory.setItem(STORAGE_KEY, [...store.get()].join(" ")));
  return store;
}

/** Explains why the table is empty, and what to do about it. */
function NoPlans({ filter }: { readonly filter: ListFilter }) {
  if (textOf(filter) === "") {
    return <EmptyState of="plans" />;
  }
  return (
    <Notice icon="search" title={NO_PLANS.noMatchingPlans}>
      <p>{NO_PLANS.hint}</p>
      <Button onClick={() => setFilter({})}>{NO_PLANS.clearFilters}</Button>
    </Notice>
  );
}
