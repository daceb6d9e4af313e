/**
 * Where a plan's time went, step by step, according to its log.
 *
 * Every time is in milliseconds since the plan was submitted. The segments of a bar follow one another without a gap,
 * from the moment at which its step was planned to the one at which the step settled.
 *
 * The timeline does not guess what the log does not record:
 *   - Sending an attempt is not an event. `queue` is all the time from the moment at which the step had nothing left
 *     to wait for until a worker began: sending, the pool's queue, and waiting for a slot or a reserve of the budget.
 *   - One call of a tool that uses a model is `model` as a whole: other work of the tool is not shown separately. While
 *     the call runs, the tool's grant says whether it uses a model; afterwards, the recorded usage does.
 *   - In a loop, a call is separate from the thinking only when its beginning is an event: in a turn of several calls,
 *     and when the call changes something. A turn with a single call that only reads is `model` as a whole.
 *   - Events carry the clocks of their writers. Where two disagree, the later event's time is moved up.
 */
import type { RevisionCause } from "../../events/draft-events.ts";

/** The activities of a step. `items`: it ran once for each item of a list, whose bars contain the segments. */
export const SEGMENT_KINDS = [
  "wait",
  "queue",
  "model",
  "tool",
  "sub-plan",
  "items",
  "retry",
  "reviewing",
] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** The reasons for which a step waited before it was ready. */
export type WaitReason =
  | "dependencies"
  /** The step whose fallback it is. */
  | "primary"
  /** The maximum number of items of the list is already running. */
  | "turn"
  | "draft"
  | "approval"
  /** A person's answer. */
  | "answer"
  | "budget"
  | "pause"
  | "start"
  /** The decision whether it runs, and for which items. */
  | "verdict"
  /** A user who retries the dead-lettered step. */
  | "redrive";

export type Segment = {
  readonly kind: SegmentKind;
  /** Only for `wait`. */
  readonly why?: WaitReason;
  /** The attempt that ran, counted from 1; absent if none did. */
  readonly attempt?: number;
  readonly startMs: number;
  /** Absent while the segment is open; only the last one of a bar may be. */
  readonly endMs?: number;
};

export type BarStatus = "open" | "succeeded" | "failed" | "skipped" | "cancelled";

/** One run of a step, of one of its items, or of its compensation. */
export type Bar = {
  readonly startMs: number;
  /** Absent until the run has settled. */
  readonly endMs?: number;
  readonly status: BarStatus;
  readonly segments: readonly Segment[];
  /** The plan to which its last attempt delegated the work. */
  readonly child?: string;
};

export type StepTimes = Bar & {
  readonly stepId: string;
  readonly description: string;
  readonly tool: string;
  /** The steps that it waits for. */
  readonly needs: readonly string[];
  /** By their position in the list; empty when it runs once, and while its list is unknown. */
  readonly items: readonly Bar[];
  /** The compensation, if the plan failed or was cancelled. */
  readonly undo?: Bar;
};

export type MarkKind =
  | "sealed"
  | "revised"
  | "abandoned"
  | "paused"
  | "resumed"
  | "cancelled"
  | "answer"
  | "ended";

/** Something that happened to the plan as a whole. */
export type Mark = {
  readonly kind: MarkKind;
  readonly atMs: number;
  /** Who, why, or how it ended; "" if nothing was given. */
  readonly text: string;
  readonly cause?: RevisionCause;
};

export type PlanSpanKind = "drafting" | "critique" | "paused" | "approval" | "answering" | "start";

/** An activity or a wait of the plan as a whole. Spans of different kinds may overlap. */
export type PlanSpan = { readonly kind: PlanSpanKind; readonly startMs: number; readonly endMs?: number };

export type Timeline = {
  /** As milliseconds since the epoch: the zero of all other times. */
  readonly submittedAtMs: number;
  /** When the last event was written. */
  readonly lastMs: number;
  /** Absent until the plan has ended. */
  readonly endedMs?: number;
  /** In the order of planning. */
  readonly steps: readonly StepTimes[];
  readonly marks: readonly Mark[];
  readonly spans: readonly PlanSpan[];
};
