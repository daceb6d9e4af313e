/**
 * The history of one step in the log, attempt by attempt: its worker, times, number of deliveries, outcome and cost. Pure and
 * without schemas, so that the dashboard can use it.
 */
import { addUsage, NO_USAGE } from "../values/add-usage.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import type { ArtifactRef, UnitId, Usage } from "../events/values.ts";
import type { PlanId } from "../values/ids.ts";

export type AttemptOutcome = "running" | "succeeded" | "failed" | "asked" | "interrupted";

export type AttemptRecord = {
  /** Counted from 1, separately for each item. */
  readonly attempt: number;
  /** The item of a step that runs for each item of a list; 0 for a step that runs once. */
  readonly item: number;
  /** Set for an attempt of the step's compensation. */
  readonly undo?: true;
  readonly outcome: AttemptOutcome;
  readonly workerId: string;
  readonly startedAt?: string;
  /** When it ended, or was found to be lost. */
  readonly endedAt?: string;
  readonly durationMs?: number;
  /** How often its message was delivered: more than 1 when a worker was lost. */
  readonly deliveries: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** For a failure: whether another attempt could succeed. */
  readonly retryable?: boolean;
  /** It failed, but may have taken effect anyway. */
  readonly uncertain?: true;
  /** Its output is that of an equal call; its own call was not made. */
  readonly reused?: true;
  /** The attempt whose worker continued with this one. */
  readonly unit?: UnitId;
  /** The plan that it delegated its work to. */
  readonly subPlan?: PlanId;
  readonly usage?: Usage;
};

export type StepHistory = {
  /** In the order of their first event in the log. */
  readonly attempts: readonly AttemptRecord[];
  /** The files that it wrote, each once. */
  readonly files: readonly ArtifactRef[];
  /** Model use of its attempts, sub-plans included. */
  readonly usage: Usage;
  /** Model usage of reviews of its outputs and of the extraction of facts from them. */
  readonly lookedAt: Usage;
};

type Draft = { -readonly [Key in keyof AttemptRecord]: AttemptRecord[Key] };

/** @param events - The plan's events, oldest first; those of other steps are skipped. Takes linear time. */
export function stepHistory(events: Iterable<PlanEvent>, stepId: string): StepHistory {
  const attempts = new Map<string, Draft>();
  const files = new Map<string, ArtifactRef>();
  let usage = NO_USAGE;
  let lookedAt = NO_USAGE;
  for (const event of events) {
    if (!("stepId" in event.data) || event.data.stepId !== stepId) continue;
    switch (event.type) {
      case "step.started":
        noteStart(attempts, event);
        break;
      case "step.succeeded":
        for (const file of event.data.artifacts) files.set(file.name, file);
        usage = addUsage(usage, event.data.usage ?? NO_USAGE);
        noteEnd(attempts, event);
        break;
      case "step.failed":
      case "step.asked":
        usage = addUsage(usage, event.data.usage ?? NO_USAGE);
        noteEnd(attempts, event);
        break;
      case "step.interrupted":
        noteLoss(attempts, event);
        break;
      case "step.reviewed":
      case "fact.recorded":
        lookedAt = addUsage(lookedAt, event.data.usage);
        break;
      default:
        break;
    }
  }
  return { attempts: [...attempts.values()], files: [...files.values()], usage, lookedAt };
}

type Of<Type extends PlanEvent["type"]> = Extract<PlanEvent, { type: Type }>;
type Run = { readonly item: number; readonly attempt: number; readonly undo?: true | undefined };

function noteStart(attempts: Map<string, Draft>, { data, at }: Of<"step.started">): void {
  const { workerId, delivery, unit, subPlan } = data;
  const known = attempts.get(keyOf(data));
  if (known === undefined) {
    attempts.set(keyOf(data), {
      ...nameOf(data),
      outcome: "running",
      workerId,
      startedAt: at,
      deliveries: delivery,
      ...(unit === undefined ? {} : { unit }),
      ...(subPlan === undefined ? {} : { subPlan }),
    });
  } else if (known.outcome === "running") {
    // Another worker has taken it over.
    known.workerId = workerId;
    known.deliveries = Math.max(known.deliveries, delivery);
  }
}

/** The first outcome counts. A late outcome replaces the status of an interrupted attempt. */
function noteEnd(
  attempts: Map<string, Draft>,
  event: Of<"step.succeeded" | "step.failed" | "step.asked">,
): void {
  const { data, at } = event;
  const known = attempts.get(keyOf(data));
  if (known !== undefined && known.outcome !== "running" && known.outcome !== "interrupted") return;
  const { workerId, startedAt, durationMs, usage, unit = known?.unit } = data;
  const ended: Draft = {
    ...nameOf(data),
    outcome: OUTCOMES[event.type],
    workerId,
    startedAt,
    endedAt: at,
    durationMs,
    deliveries: known?.deliveries ?? 1,
    ...(unit === undefined ? {} : { unit }),
    ...(known?.subPlan === undefined ? {} : { subPlan: known.subPlan }),
    ...(usage === undefined ? {} : { usage }),
  };
  if (event.type === "step.failed") {
    ended.error = event.data.error;
    ended.retryable = event.data.retryable;
    if (event.data.uncertain === true) ended.uncertain = true;
  }
  if (event.type === "step.succeeded" && event.data.reused === true) ended.reused = true;
  attempts.set(keyOf(data), ended);
}

const OUTCOMES = { "step.succeeded": "succeeded", "step.failed": "failed", "step.asked": "asked" } as const;

function noteLoss(attempts: Map<string, Draft>, { data, at }: Of<"step.interrupted">): void {
  const known = attempts.get(keyOf(data));
  if (known !== undefined && known.outcome !== "running") return;
  attempts.set(keyOf(data), {
    ...(known ?? { ...nameOf(data), deliveries: 1 }),
    workerId: known?.workerId ?? data.workerId,
    outcome: "interrupted",
    endedAt: at,
    error: { code: "interrupted", message: data.message },
  });
}

function keyOf({ item, attempt, undo }: Run): string {
  return `${undo === true ? "undo" : item}/${attempt}`;
}

function nameOf({ item, attempt, undo }: Run): Pick<AttemptRecord, "item" | "attempt" | "undo"> {
  return { item, attempt, ...(undo === undefined ? {} : { undo }) };
}
