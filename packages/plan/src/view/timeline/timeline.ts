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

/** What a step was doing. `items`: it ran once for each item of a list, whose bars hold the segments. */
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

/** What a step waited for before it was ready. */
export type WaitReason =
  | "dependencies"
  /** The step that it is the fallback of. */
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
  /** Of `wait`. */
  readonly why?: WaitReason;
  /** The attempt that ran, from 1; absent where none did. */
  readonly attempt?: number;
  readonly startMs: number;
  /** Absent while the segment is open; only the last one of a bar may be. */
  readonly endMs?: number;
};

export type BarStatus = "open" | "succeeded" | "failed" | "skipped" | "cancelled";

/** One run: of a step, of one of its items, or of its compensation. */
export type Bar = {
  readonly startMs: number;
  /** Absent while the run is not settled. */
  readonly endMs?: number;
  readonly status: BarStatus;
  readonly segments: readonly Segment[];
  /** The plan that its last attempt handed the work to. */
  readonly child?: string;
};

export type StepTimes = Bar & {
  readonly stepId: string;
  readonly description: string;
  readonly tool: string;
  /** The steps that it waits for. */
  readonly needs: readonly string[];
  /** By their place in the list; empty when it runs once, and before its list is known. */
  readonly items: readonly Bar[];
  /** Before its plan ended badly. */
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
  /** Who, why, or how it ended; "" when nothing was said. */
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
