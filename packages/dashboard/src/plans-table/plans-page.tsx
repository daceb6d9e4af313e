/** All plans as a table: to find, compare and sort them, and to act on many of them. */
import "../plans/plans.css";
import "./plans-table.css";
import { useEffect, useMemo, useState } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { type ListFilter, textOf } from "../plans/list-filter.ts";
import { fieldsOf, isNewestFirst, type ListOrder, readOrder } from "../plans/list-order.ts";
import type { PlanListState, PlanListStore } from "../plans/plan-list-store.ts";
import { useListFilter } from "../plans/use-list-filter.ts";
import { usePlanList } from "../plans/use-plan-list.ts";
import { setSearchFields, useSearchField } from "../router/use-route.ts";
import { browserMemory } from "../ui/browser-memory.ts";
import { useStore } from "../ui/create-store.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { createChosenColumns } from "./chosen-columns.ts";
import { NoPlans } from "./no-plans.tsx";
import { PlansTable } from "./plans-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { NOTHING_SELECTED } from "./selection.ts";
import { TableToolbar } from "./table-toolbar.tsx";

export function PlansPage() {
  const [filter] = useListFilter();
  const order = useListOrder();
  const listed = useMemo(() => ({ filter, order }), [filter, order]);
  const { list, state } = usePlanList(listed);
  const chosen = useMemo(() => createChosenColumns(browserMemory(() => localStorage)), []);
  const columns = useStore(chosen);
  useEffect(() => {
    document.title = "Plans · Planwright";
  }, []);
  useKeys([
    { keys: "/", label: "Search plans", run: () => document.getElementById("plan-search")?.focus() },
    { keys: "ArrowUp ArrowDown", label: "Previous row, next row; with Shift: select" },
    { keys: " ", label: "Select the row" },
    { keys: "Enter", label: "Open the plan of the row" },
  ]);
  return (
    <article className="plans-page" aria-labelledby="plans-title">
      <TableToolbar
        filter={filter}
        order={order}
        version={state?.version ?? 0}
        columns={columns}
        onColumns={chosen.set}
      />
      {list !== undefined && state?.plans !== undefined ? (
        // What was selected in another view is not there any more.
        <Found key={textOf(filter)} {...{ list, state, filter, order, columns }} />
      ) : (
        state?.error === undefined && <Loading className="plans-loading" what="Loading plans" />
      )}
      {list !== undefined && state?.error !== undefined && state.plans === undefined && (
        <Problem error={state.error} again={list.refresh} />
      )}
    </article>
  );
}

type FoundProps = {
  readonly list: PlanListStore;
  readonly state: PlanListState;
  readonly filter: ListFilter;
  readonly order: ListOrder;
  readonly columns: ReadonlySet<string>;
};

function Found({ list, state, filter, order, columns }: FoundProps) {
  const { plans = [], nextCursor, error, olderError } = state;
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const selected = plans.filter(({ planId }) => selection.ids.has(planId));
  return (
    <>
      {error !== undefined && <Problem error={error} again={list.refresh} />}
      <Outdated state={state} order={order} onRefresh={list.refresh} />
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
          order={order}
          onOrder={(next) => setSearchFields(fieldsOf(next))}
          chosen={columns}
          selection={selection}
          onSelect={setSelection}
          onNearEnd={list.loadOlder}
        />
      )}
      {olderError !== undefined && <Problem error={olderError} again={list.loadOlder} />}
    </>
  );
}

/** A sorted list does not move by itself: this says what a new reading would change. */
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
    <div className="plans-outdated" role="status">
      {isOutdated && (
        <button type="button" className="button" onClick={onRefresh}>
          {misplaced.size > 0
            ? `${misplaced.size}${isBehind ? "+" : ""} new or changed: refresh`
            : "The list may have changed: refresh"}
        </button>
      )}
    </div>
  );
}

function useListOrder(): ListOrder {
  const [sort] = useSearchField("sort");
  const [order] = useSearchField("order");
  return useMemo(() => readOrder({ sort, order }), [sort, order]);
}
