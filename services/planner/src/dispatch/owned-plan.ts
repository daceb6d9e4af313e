import type { KnownPlan, LogReading } from "@planwright/plan";

/** A plan as its owner holds it: its state, and where its log stands. */
export type OwnedPlan = {
  plan: KnownPlan;
  readonly reading: LogReading;
  /** The stream sequence of the plan's first event. */
  readonly firstSequence: number;
  /** Up to here the plan was read by itself: repeats in the followed log are skipped. */
  readonly readTo: number;
  /** The highest stream sequence that is known to hold something of the plan, once all of that has been read. */
  last: number;
  /** The highest stream sequence of the plan that has been read. */
  read: number;
  /** The stream sequence of the last decision: what the next one expects. */
  fence: number;
  /** The last sequence on the plan's flow subjects, 0 when there is none: what a step's start expects. */
  flow: number;
  /** Decisions are stored one after the other, because each expects the one before. */
  recording: Promise<void>;
  /** The ids of decisions that are being stored, or are stored, and have not been read back. */
  readonly unread: Set<string>;
  /** The missing part of its log; absent when nothing is known to be missing. */
  missing?: string;
};
