/** Follow-up steps may hold the slot of the step before them for this long in all, in milliseconds. */
export const FOLLOW_UPS_MS_MAX = 50;

/** The time that the follow-up steps of one work message have on their slot. */
export type FollowUpTime = {
  /** Whether another follow-up step may start. The time begins with the first question. */
  isLeft(): boolean;
};

/** @param nowMs - A monotonic clock, in milliseconds. */
export function followUpTime(nowMs: () => number): FollowUpTime {
  let begunMs: number | undefined;
  return {
    isLeft() {
      begunMs ??= nowMs();
      return nowMs() - begunMs < FOLLOW_UPS_MS_MAX;
    },
  };
}
