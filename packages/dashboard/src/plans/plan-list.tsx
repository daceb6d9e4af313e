import "./plans.css";
import { useEffect, useState } from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { Icon } from "../ui/icons.tsx";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import { useNow } from "../ui/use-now.ts";
import { PlanRow } from "./plan-row.tsx";
import { usePlanList } from "./use-plan-list.ts";

const STATUSES = [
  "scheduled",
  "planning",
  "running",
  "reflecting",
  "awaiting-approval",
  "paused",
  "compensating",
  "succeeded",
  "failed",
  "cancelled",
] as const;
const SEARCH_DELAY_MS = 250;

export function PlanList({ selected }: { selected: string | undefined }) {
  const [search, setSearch] = useState("");
  const [status, setStatus] = useState("");
  const q = useDelayed(search.trim(), SEARCH_DELAY_MS);
  const { state, refresh, loadOlder } = usePlanList({ q, status });
  // A plan that was just submitted is opened at once, and belongs into the list at once.
  useEffect(() => refresh?.(), [selected, refresh]);
  return (
    <>
      <div className="rail-head">
        <Link className="button button-primary rail-new" href="/">
          <Icon name="plus" />
          New goal
        </Link>
        <div className="rail-filter">
          <label className="rail-search">
            <span className="visually-hidden">Search plans</span>
            <Icon name="search" size={15} />
            <input
              className="field"
              type="search"
              placeholder="Search plans"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </label>
          <select
            className="field"
            aria-label="Status"
            value={status}
            onChange={(event) => setStatus(event.target.value)}
          >
            <option value="">Any status</option>
            {STATUSES.map((name) => (
              <option key={name} value={name}>
                {lookOf(name).label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="rail-body">
        {state?.error !== undefined && <Problem error={state.error} />}
        {state?.plans !== undefined && (
          <Rows plans={state.plans} selected={selected} filtered={q !== "" || status !== ""} />
        )}
        {state?.plans === undefined && state?.error === undefined && <Skeletons />}
        {state?.nextCursor !== undefined && (
          <button type="button" className="button button-quiet" onClick={loadOlder}>
            Show older plans
          </button>
        )}
      </div>
    </>
  );
}

type RowsProps = {
  readonly plans: readonly PlanSummary[];
  readonly selected: string | undefined;
  readonly filtered: boolean;
};

function Rows({ plans, selected, filtered }: RowsProps) {
  const now = useNow(10_000);
  if (plans.length === 0) {
    return filtered ? (
      <Notice icon="search" title="No plan matches" />
    ) : (
      <Notice icon="inbox" title="No plans yet">
        <p>Submit a goal, and its plan appears here.</p>
      </Notice>
    );
  }
  return (
    <ul className="plan-rows">
      {plans.map((plan) => (
        <PlanRow key={plan.planId} plan={plan} now={now} selected={plan.planId === selected} />
      ))}
    </ul>
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

function useDelayed<Value>(value: Value, delayMs: number): Value {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}
