import clsx from "clsx";
import type { PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { Icon } from "../ui/icons.tsx";
import { BUDGET_METER, PLAN_WAITS, BUDGET_ROWS } from "./header-words.ts";
import "./stripes.css";
import { whyPlanWaits } from "@planwright/plan/why-waiting";
import { useEffect, useState } from "react";
import { COMMON } from "../ui/ui-words.ts";
import { capitalized, formatDuration } from "../ui/format.ts";
import { formatUsd } from "@planwright/plan/amounts";

/** Notes on the plan's course: its limits, what it is waiting for, and why it ended as it did. */
export function PlanNotes({ view, isPast }: { readonly view: PlanView; readonly isPast: boolean }) {
  const nowMs = usePlanNow();
  const elapsedMs = Math.max(0, nowMs - Date.parse(view.submittedAt));
  const reason = view.status === "succeeded" ? undefined : view.reason;
  return (
    <div className="grid grid-cols-1 gap-2 empty:hidden">
      <BudgetMeter view={view} elapsedMs={elapsedMs} />
      {/* The answer card shows why the answer is pending. */}
      {(isPast || view.status !== "reflecting") && <PlanWaits view={view} nowMs={nowMs} />}
      {reason !== undefined && (
        <p className="text-soft" data-part="plan-reason">
          {reason}
        </p>
      )}
    </div>
  );
}

type Props = {
  readonly view: PlanView;
  /** Time since submission, now: it grows even while nothing else changes. */
  readonly elapsedMs: number;
};

/** The usage of each of the plan's limits: spent, reserved and the expected total. */
function BudgetMeter({ view: { budget, ended }, elapsedMs }: Props) {
  if (budget === undefined) return null;
  return (
    <div className="grid gap-1.5 text-sm" data-testid="budget">
      {budgetRows(atTime(budget, elapsedMs), ended).map((row) => (
        <Meter key={row.name} row={row} />
      ))}
    </div>
  );
}

function atTime(budget: NonNullable<PlanView["budget"]>, elapsedMs: number): typeof budget {
  if (budget.limit.seconds === undefined) return budget;
  return { ...budget, used: { ...budget.used, seconds: Math.round(elapsedMs / 1_000) } };
}

const TONES: Readonly<Record<BudgetRow["state"], string>> = {
  within: "run",
  near: "warn",
  beyond: "warn",
  exhausted: "bad",
};

function Meter({ row }: { row: BudgetRow }) {
  const { label, used, reserved, forecast, state, words, warning } = row;
  return (
    <div
      className={clsx(
        `tone-${TONES[state]}`,
        "grid grid-cols-[84px_minmax(80px,220px)_minmax(0,1fr)] items-center gap-x-3 gap-y-0.5 text-soft tabular-nums max-sm:grid-cols-[84px_minmax(0,1fr)]",
      )}
      data-part="budget-row"
      data-state={state}
    >
      {label}
      <div
        className="relative flex h-2 rounded-full bg-line"
        role="meter"
        aria-label={BUDGET_METER.used(label)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(used * 100)}
        aria-valuetext={words}
      >
        <span className="rounded-l-full bg-tone" style={{ width: `${used * 100}%` }} />
        <span className="tone-run stripes" style={{ width: `${reserved * 100}%` }} />
        {forecast !== undefined && (
          <span
            className="absolute -inset-y-1 -ml-px w-0.5 bg-ink"
            style={{ left: `${Math.min(1, forecast) * 100}%` }}
          />
        )}
      </div>
      <span className="max-sm:col-span-full" data-part="budget-words">
        {words}
      </span>
      {warning !== undefined && (
        <span
          className="col-[2/-1] flex items-center gap-1.5 text-tone max-sm:col-span-full"
          data-part="budget-warning"
        >
          <Icon className="flex-none" name="alert" size={13} />
          {warning}
        </span>
      )}
    </div>
  );
}

/** Further reasons are only counted. */
const SHOWN_MAX = 4;
/** Shorter waits, such as between two steps, would only move the page. */
const SHOWN_AFTER_MS = 1_000;

/** The reasons why the plan is waiting; nothing while it is running normally. */
export function PlanWaits({ view, nowMs }: { view: PlanView; nowMs: number }) {
  const reasons = whyPlanWaits(view, nowMs);
  const isLasting = useLasting(reasons.length > 0);
  if (reasons.length === 0 || !isLasting) return null;
  const left = reasons.length - SHOWN_MAX;
  return (
    <ul className="text-sm text-soft" aria-label={PLAN_WAITS.title}>
      {reasons.slice(0, SHOWN_MAX).map((reason) => (
        <li key={reason} className="flex items-baseline gap-1.5">
          <Icon className="flex-none translate-y-0.5" name="waiting" size={13} />
          <span>{capitalized(reason)}</span>
        </li>
      ))}
      {left > 0 && <li>{COMMON.andMore(left)}</li>}
    </ul>
  );
}

/** Whether a condition held when the page was opened, or has held for a while. */
function useLasting(is: boolean): boolean {
  const [isLasting, setLasting] = useState(is);
  useEffect(() => {
    if (!is) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [is]);
  return isLasting;
}

type Budget = NonNullable<PlanView["budget"]>;
type AmountName = NonNullable<Budget["exhausted"]>;

/** A plan's budget for display: a row for each amount that has a limit. */
export type BudgetRow = {
  readonly name: AmountName;
  readonly label: string;
  /** Shares of the limit, from 0 to 1, whose sum is never more than 1. */
  readonly used: number;
  readonly reserved: number;
  /** The expected share at the plan's end; more than 1 when that exceeds the limit. */
  readonly forecast: number | undefined;
  readonly state: "within" | "near" | "beyond" | "exhausted";
  /** A warning about its state; absent while it is within the limit. */
  readonly warning: string | undefined;
  /** `$0.42 of $1.00, $0.10 reserved, about $0.71 when it ends`. */
  readonly words: string;
};

/** From this share, a limit counts as nearly used up. */
const NEAR = 0.9;

const ENDS: Readonly<Record<Budget["onExhausted"], string>> = {
  end: BUDGET_ROWS.endsWithResults,
  ask: BUDGET_ROWS.asksApproval,
};

const NAMES = ["usd", "tokens", "seconds", "steps"] as const satisfies readonly AmountName[];
const LABELS: Readonly<Record<AmountName, string>> = {
  usd: BUDGET_ROWS.cost,
  tokens: BUDGET_ROWS.tokens,
  seconds: BUDGET_ROWS.time,
  steps: BUDGET_ROWS.stepsDispatched,
};

/** @param isOver - The plan has ended: there is no forecast. */
export function budgetRows(budget: Budget, isOver: boolean): BudgetRow[] {
  return NAMES.flatMap((name) => {
    const limit = budget.limit[name];
    return limit === undefined ? [] : [rowOf(budget, { name, limit, isOver })];
  });
}

type Of = { readonly name: AmountName; readonly limit: number; readonly isOver: boolean };

function rowOf(budget: Budget, { name, limit, isOver }: Of): BudgetRow {
  const used = budget.used[name] ?? 0;
  const reserved = isOver ? 0 : (budget.reserved[name] ?? 0);
  const forecast = isOver ? undefined : budget.forecast?.[name];
  const share = (amount: number) => (limit === 0 ? 1 : amount / limit);
  const usedShare = Math.min(1, share(used));
  const state = stateOf(budget.exhausted === name, {
    used: share(used),
    forecast: forecast === undefined ? undefined : share(forecast),
    isOver,
  });
  const parts = [
    `${amountText(name, used)} of ${amountText(name, limit)}`,
    reserved > 0 ? `${amountText(name, reserved)} reserved` : undefined,
    forecast === undefined ? undefined : `about ${amountText(name, forecast)} expected`,
    (budget.forfeited[name] ?? 0) > 0
      ? BUDGET_ROWS.forfeited(amountText(name, budget.forfeited[name] ?? 0))
      : undefined,
  ];
  return {
    name,
    label: LABELS[name],
    used: usedShare,
    reserved: Math.min(1 - usedShare, share(reserved)),
    forecast: forecast === undefined ? undefined : share(forecast),
    state,
    warning: warningOf(state, { share: share(used), onExhausted: budget.onExhausted, isOver }),
    words: parts.filter((part) => part !== undefined).join(", "),
  };
}

type Shares = { readonly used: number; readonly forecast: number | undefined; readonly isOver: boolean };

function stateOf(isExhausted: boolean, { used, forecast, isOver }: Shares): BudgetRow["state"] {
  if (isExhausted) return "exhausted";
  if (used > 1 || (forecast !== undefined && forecast > 1)) return "beyond";
  return used >= NEAR && !isOver ? "near" : "within";
}

type Told = { readonly share: number; readonly onExhausted: Budget["onExhausted"]; readonly isOver: boolean };

function warningOf(state: BudgetRow["state"], { share, onExhausted, isOver }: Told): string | undefined {
  switch (state) {
    case "within":
      return undefined;
    case "near":
      return share < 1 ? BUDGET_ROWS.nearlyUsed : BUDGET_ROWS.used;
    case "beyond":
      // Compensations run even if the budget is exhausted.
      if (share > 1) return BUDGET_ROWS.exceeded(isOver ? "was" : "is");
      return BUDGET_ROWS.willExceed(ENDS[onExhausted]);
    case "exhausted":
      return isOver ? BUDGET_ROWS.limitReached : BUDGET_ROWS.limitReachedThen(ENDS[onExhausted]);
    default:
      return state satisfies never;
  }
}

function amountText(name: AmountName, amount: number): string {
  switch (name) {
    case "usd":
      return formatUsd(amount);
    case "seconds":
      return amount === 0 ? "0 s" : formatDuration(amount * 1_000);
    case "tokens":
    case "steps":
      return amount.toLocaleString("en");
    default:
      name satisfies never;
      return "";
  }
}

/** The model usage of a plan without limits; undefined when there is none. */
export function usageWords({
  modelCalls,
  inputTokens,
  outputTokens,
  costUsd,
}: PlanView["usage"]): string | undefined {
  if (modelCalls === 0) return undefined;
  const cost = costUsd === null ? BUDGET_ROWS.costUnknown : costUsd > 0 ? formatUsd(costUsd) : undefined;
  const parts = [
    `${modelCalls.toLocaleString("en")} model ${modelCalls === 1 ? "call" : "calls"}`,
    `${(inputTokens + outputTokens).toLocaleString("en")} tokens`,
    cost,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
