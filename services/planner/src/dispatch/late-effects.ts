/**
 * Follows up effects that workers reported only after the plan had ended: submits the plans that compensate them.
 *
 * The position is not stored beyond an outcome that has not been processed, so the partition's next owner reads it again. A
 * follow-up has its own id and is stored once, however often it is submitted.
 */
import {
  followUpGoal,
  isEnded,
  type Json,
  JsonValue,
  type KnownPlan,
  type LateEffect,
  lateEffectsOf,
  loadArtifactValues,
  PlanEvent,
  type PlanId,
} from "@planwright/plan";
import { isUnavailable, type LogEntry, readPlan } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { oneAtATime } from "../one-at-a-time.ts";
import { storeOnce, type SubPlanDeps } from "./tell-sub-plan.ts";

export type LateEffects = {
  /**
   * Takes an entry: if its plan may have late effects, it will be checked.
   *
   * @param about.isOpen - Whether the plan was open here before the entry.
   * @param about.plan - The plan after the entry; undefined when the entry changed nothing.
   */
  heed(entry: LogEntry, about: { readonly isOpen: boolean; readonly plan: KnownPlan | undefined }): void;
  /** Processes the late effects of owned partitions; failures are retried the next time. */
  soon(): void;
  /** The position up to which the log of the owned partitions is fully processed. */
  doneTo(position: number): number;
  /** Resolves when no work is in progress; none starts afterwards. */
  stop(): Promise<void>;
};

type Deps = Pick<SubPlanDeps, "bus" | "publish" | "artifacts" | "now"> & {
  /** Whether a plan's partition is owned, and read to its end. */
  readonly owns: (planId: PlanId) => boolean;
  readonly log: Logger;
};

const MAY_BE_LATE: ReadonlySet<PlanEvent["type"]> = new Set([
  "step.succeeded",
  "step.failed",
  "step.interrupted",
  "plan.ended",
]);

export function createLateEffects(deps: Deps): LateEffects {
  const { log, owns } = deps;
  /** By plan, the first entry to check. */
  const noted = new Map<PlanId, number>();
  const look = async (): Promise<void> => {
    for (const [planId, sequence] of noted) {
      if (!owns(planId)) continue;
      await followUp(deps, planId);
      if (noted.get(planId) === sequence) noted.delete(planId);
    }
  };
  const looking = oneAtATime(look, (error) =>
    log.warn({ reason: describeError(error) }, "could not follow up on late effects yet"),
  );
  const soon = (): void => void (noted.size > 0 && looking.soon());
  return {
    heed({ event, sequence }, { isOpen, plan }) {
      // If a plan is not open here, it may have ended before its partition was taken over.
      const mayBeLate = !isOpen && MAY_BE_LATE.has(event.type);
      const isLate = plan !== undefined && isEnded(plan) && lateEffectsOf(plan).length > 0;
      if (!mayBeLate && !isLate) return;
      if (!noted.has(event.planId)) noted.set(event.planId, sequence);
      soon();
    },
    soon,
    doneTo(position) {
      const open = [...noted].flatMap(([planId, sequence]) => (owns(planId) ? [sequence - 1] : []));
      return Math.min(position, ...open);
    },
    stop: () => looking.stop(),
  };
}

async function followUp(deps: Deps, planId: PlanId): Promise<void> {
  const plan = await readPlan(deps.bus, planId);
  if (plan === undefined || !isEnded(plan)) return;
  for (const late of lateEffectsOf(plan)) {
    const event = followUpGoal(plan, late, await argumentsOf(deps, plan, late));
    const isNew = await storeOnce(deps, PlanEvent.parse({ ...event, at: deps.now().toISOString() }));
    if (!isNew) continue;
    const { stepId, followUp: by } = late;
    deps.log.warn({ planId, stepId, followUp: by }, "a step took effect after its plan had ended");
  }
}

/** Undefined when the arguments are not available: then a user has to decide. */
async function argumentsOf({ artifacts }: Deps, { planId }: KnownPlan, { resolved }: LateEffect) {
  if ("fault" in resolved) return undefined;
  try {
    return await loadArtifactValues(resolved.args, async (name): Promise<Json> => {
      const artifact = await artifacts.get(planId, name);
      if (artifact === undefined) throw new Error(`${name} is gone`);
      return JsonValue.parse(JSON.parse(Buffer.from(artifact.content).toString()));
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return undefined;
  }
}
