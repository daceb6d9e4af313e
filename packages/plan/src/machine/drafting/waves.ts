/** Waves: a plan of which only as much is planned as is known, and the next part from what this one has shown. */
import { isHalted, type NextPlan } from "../plan-state.ts";
import { answerFrom } from "../ending/answer-from.ts";
import { LIMITS } from "../../values/limits.ts";
import { awaitsFacts } from "../knowledge.ts";
import { requestRevision } from "./revisions.ts";
import { openGate } from "../approval/open-gate.ts";

/** Called after each change: has the next wave planned once everything of this one is over, and it is not the last. */
export function planNextWave(next: NextPlan): void {
  if (next.goal.strategy !== "waves" || next.goal.plan !== undefined || !isOver(next)) return;
  if (next.answerFrom !== undefined && answerFrom(next) !== undefined) return;
  const waves = 1 + wavesAfterFirst(next);
  if (waves >= LIMITS.wavesMax) return;
  const reason = `wave ${waves} is over: plan wave ${waves + 1} from its results`;
  requestRevision(next, { cause: "wave", reason });
}

/** How many of a plan's revisions are further waves: these do not count against how often it may be revised. */
function wavesAfterFirst({ revisions }: Pick<NextPlan, "revisions">): number {
  return revisions.filter(({ cause }) => cause === "wave").length;
}

function isOver(next: NextPlan): boolean {
  if (next.conclusion !== undefined || isHalted(next) || openGate(next) !== undefined) return false;
  if (next.drafting.phase !== "sealed" || next.joining.phase === "requested") return false;
  if (next.critique !== undefined) return false;
  return next.total === next.done && next.replansExceeded === undefined && !awaitsFacts(next);
}
