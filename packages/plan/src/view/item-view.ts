/** The public view of a step that runs for each item of a list: its items, each with its own attempts. */
import { z } from "zod";
import { definedOnly } from "../values/defined-only.ts";
import { jsonBytes } from "../check/json-bytes.ts";
import { TurnTaken } from "../events/turn-events.ts";
import { PlanId } from "../values/ids.ts";
import { type Json, JsonValue } from "../values/json.ts";
import { ranDetailsOf, RunView } from "./run-view.ts";
import { sentStatus } from "./shown-status.ts";
import { missingCalls, withOutcome } from "../machine/loop/loop-calls.ts";
import type { KnownPlan, StepEntry, StepState } from "../machine/plan-state.ts";
import { itemsOf } from "../machine/step/runs.ts";

/** Values longer than this, as JSON, are omitted: the step that produced them shows them. */
const VALUE_BYTES_MAX = 1_024;

export const TurnView = TurnTaken.shape.data.omit({ stepId: true, item: true }).extend({
  at: z.string(),
  open: z.literal(true).optional().meta({
    description: "A call of the current turn that has no outcome yet. `at` is the start of the turn.",
  }),
});
export type TurnView = z.infer<typeof TurnView>;

export const ItemView = z.object({
  item: z.int().nonnegative().meta({ description: "Index in the list, from 0." }),
  value: JsonValue.optional().meta({ description: "The item of the list; omitted if it is large." }),
  status: z.enum(["waiting", "awaiting-approval", "queued", "running", "succeeded", "failed", "cancelled"]),
  waitingFor: z.enum(["turn", "capacity", "retry", "budget", "resume"]).optional().meta({
    description: "Why a waiting item has not started. `turn`: the maximum number of items is running.",
  }),
  ...RunView.shape,
  turns: z.array(TurnView).optional().meta({
    description:
      "For an item that works in a loop: the model's reasoning, calls and results, call by call. Calls in one turn have the same `turn`.",
  }),
  child: PlanId.optional().meta({ description: "The sub-plan that the latest attempt started." }),
  reason: z.string().optional().meta({ description: "Why it was cancelled." }),
});
export type ItemView = z.infer<typeof ItemView>;

/** Undefined for a step that runs once, and while its list is unknown. */
export function itemViews(plan: KnownPlan, { step }: StepEntry): ItemView[] | undefined {
  if (step.forEach === undefined) return undefined;
  const entries = itemsOf(plan, step.id);
  return entries.length === 0 ? undefined : entries.map(itemView);
}

/** The calls of a step that works in a loop, including those without an outcome yet; undefined before the first turn. */
export function turnViews(entry: StepEntry): TurnView[] | undefined {
  const { turns, openTurn } = entry;
  if (openTurn === undefined) return turns === undefined ? undefined : [...turns];
  const { attempt, at } = openTurn;
  return missingCalls(entry).reduce<readonly TurnView[]>(
    (shown, missing) => withOutcome(shown, { ...missing, attempt, at, open: true }),
    turns ?? [],
  ) as TurnView[];
}

function itemView(entry: StepEntry): ItemView {
  const { item, subPlan, state, failedAttempts } = entry;
  return definedOnly<ItemView>({
    item: item?.index ?? 0,
    value: valueShown(item?.value),
    child: subPlan,
    attempt: "attempt" in state ? state.attempt : failedAttempts.length,
    failedAttempts: [...failedAttempts],
    turns: turnViews(entry),
    ...detailsOf(state),
  });
}

function valueShown(value: NonNullable<StepEntry["item"]>["value"] | undefined): Json | undefined {
  if (value === undefined || !("value" in value)) return undefined;
  return jsonBytes(value.value) <= VALUE_BYTES_MAX ? value.value : undefined;
}

function detailsOf(state: StepState): Pick<ItemView, "status"> & Partial<ItemView> {
  switch (state.status) {
    case "waiting":
      return { status: "waiting", ...definedOnly({ waitingFor: WAITING_FOR[state.for] }) };
    case "awaiting-approval":
      return { status: state.status };
    case "running":
      return { status: sentStatus(state), ...definedOnly(ranDetailsOf(state)) };
    case "succeeded":
    case "failed":
      return { status: state.status, ...definedOnly(ranDetailsOf(state)) };
    case "cancelled":
      return { status: state.status, reason: state.reason };
    // No item is repeated, skipped or reviewed itself.
    case "repeating":
    case "reviewing":
    case "skipped":
      return { status: "cancelled" };
    default:
      state satisfies never;
      return { status: "cancelled" };
  }
}

const WAITING_FOR: Readonly<Record<string, ItemView["waitingFor"]>> = {
  turn: "turn",
  capacity: "capacity",
  start: "capacity",
  retry: "retry",
  budget: "budget",
  resume: "resume",
};
