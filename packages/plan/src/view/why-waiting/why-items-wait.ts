import { formatCount } from "../../values/amounts.ts";
import type { StepView } from "../step-view.ts";
import { listed, when } from "./words.ts";

/** Undefined while any item of the list is running. */
export function whyItemsWait(items: NonNullable<StepView["items"]>, nowMs: number): string | undefined {
  const open = items.filter((item) => OPEN.has(item.status));
  const isAtWork = open.some(({ status }) => status === "running");
  if (open.length === 0 || isAtWork) return undefined;
  const by = Map.groupBy(
    open,
    ({ status, waitingFor = "capacity" }): ItemWait =>
      status === "queued" || status === "awaiting-approval" ? status : waitingFor,
  );
  const parts = [...by].map(([why, of]) => `${of.length} ${ITEMS[why]}`);
  const retryAt = open.flatMap(({ failedAttempts }) => failedAttempts.at(-1)?.retryAt ?? []).sort()[0];
  const next = by.has("retry") && retryAt !== undefined ? ` (the next one ${when(retryAt, nowMs)})` : "";
  return `${formatCount(open.length, "item")} left: ${listed(parts)}${next}`;
}

const OPEN: ReadonlySet<string> = new Set(["waiting", "awaiting-approval", "queued", "running"]);

type ItemWait =
  | NonNullable<NonNullable<StepView["items"]>[number]["waitingFor"]>
  | "awaiting-approval"
  | "queued";

const ITEMS: Readonly<Record<ItemWait, string>> = {
  turn: "waiting for a turn",
  capacity: "waiting for capacity",
  retry: "waiting to be retried",
  budget: "waiting for a share of the budget",
  resume: "waiting for the plan to resume",
  "awaiting-approval": "waiting for your decision",
  queued: "waiting for a free worker",
};
