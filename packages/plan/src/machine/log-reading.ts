/**
 * Detects events that have vanished from a plan's log.
 *
 * An event states how far the dispatcher had read the log before it: `after` is a digest of the subjects of all
 * messages up to that point, each repeated once for every event in it. If no prefix of the log has this digest, a
 * message of that prefix has vanished. This needs no knowledge of causes and effects. Late or repeated events cause no
 * false alarm, because they name an earlier prefix.
 */
import type { PlanEvent } from "../events/plan-event.ts";
import { fnv1a32 } from "../values/fnv1a.ts";
import { isEnded, type KnownPlan, type Plan } from "./plan-state.ts";

/** How far a plan's log has been read. */
export class LogReading {
  #digest = fnv1a32("");
  readonly #digests = new Set([this.#digest]);

  /** Identifies what has been read: the `after` of events that are written in response. */
  get digest(): number {
    return this.#digest;
  }

  /** Adds an event by the subject of its message, including events that the plan ignores or that this version does not know. */
  add(subject: string): void {
    this.#digest = fnv1a32(subject, this.#digest);
    this.#digests.add(this.#digest);
  }

  /**
   * Returns which event must have been in the log before this one but is missing; undefined if no gap is known.
   *
   * @param plan - The fold of what has been read. `event` has not been added yet.
   */
  missingBefore(plan: Plan, event: PlanEvent): string | undefined {
    if (plan.status === "absent" || isEnded(plan)) return undefined;
    const { id, after } = event;
    const isMissing = (after !== undefined && !this.#digests.has(after)) || isOutOfSeries(plan, event);
    return isMissing ? `an event before ${id}` : undefined;
  }
}

/**
 * Whether a number in an event shows a gap. Checked for drafts, whose planner has also seen its own events, and for
 * pauses, because the gateway sets no `after`.
 */
function isOutOfSeries({ drafting, steps, pause, pauses }: KnownPlan, { type, data }: PlanEvent): boolean {
  if (type === "pause.requested") return data.pause > pauses + (pause === undefined ? 1 : 0);
  if (type === "resume.requested") return data.pause > pauses;
  if (type !== "step.planned" && type !== "plan.sealed" && type !== "plan.revised") return false;
  if (data.draft !== drafting.number) return false;
  if (drafting.phase !== "open") return drafting.phase === "requested";
  if (type === "plan.sealed") return data.steps > steps.size;
  return type === "plan.revised" && data.added.some((stepId) => !steps.has(stepId));
}
