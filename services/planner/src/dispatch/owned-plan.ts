import type { KnownPlan, LogReading } from "@planwright/plan";

/** A plan as held by its owner: its state, and its position in the log. */
export type OwnedPlan = {
  plan: KnownPlan;
  readonly reading: LogReading;
  /** The stream sequence of the plan's first event. */
  readonly firstSequence: number;
  /** The position up to which the plan was read individually: repeats in the followed log are skipped. */
  readonly readTo: number;
  /** The highest stream sequence known to hold an event of the plan, once all events up to it have been read. */
  last: number;
  /** The highest stream sequence of the plan that has been read. */
  read: number;
  /** The stream sequence of the last decision, which the next one expects. */
  fence: number;
  /** The last sequence on the plan's flow subjects, which a step's start expects; 0 when there is none. */
  flow: number;
  /** Decisions are stored one after the other, because each expects the previous one. */
  recording: Promise<void>;
  /** The ids of decisions that are being stored, or have been stored but not read back. */
  readonly unread: Set<string>;
  /** The missing part of its log; absent when nothing is known to be missing. */
  missing?: string;
};
