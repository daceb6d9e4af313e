/**
 * What a loop inside a step may do with other tools. It can do nothing that a step of the plan could do only with a
 * person's leave: what waits for an approval, and what acts once, has to be planned as a step of its own.
 */
import {
  AGENT_REACT,
  effectKey,
  eventOf,
  isAttemptWanted,
  runOf,
  type KnownPlan,
  type StepWork,
  type ToolSpec,
  waitsForApproval,
} from "@planwright/plan";
import { ConflictError, factSubject, readPlan } from "@planwright/shared/bus";
import { describeError, PermanentError } from "@planwright/shared/errors";
import type { Tool, ToolContext, ToolDesk } from "../tools/define-tool.ts";
import { keepOutput } from "./keep-output.ts";
import type { StepDeps } from "./step-deps.ts";

const MESSAGE_CHARS_MAX = 2_000;

/** @param granted - The only tools that the step's agent type may use; any when absent. */
export function createToolDesk(
  deps: StepDeps,
  work: StepWork,
  context: ToolContext,
  granted?: readonly string[],
): ToolDesk {
  const { planId, stepId, item, attempt } = work;
  const planNow = async (): Promise<KnownPlan> => {
    const plan = await readPlan(deps.bus, planId);
    if (plan === undefined) throw new PermanentError("the plan is gone", { code: "plan_gone" });
    return plan;
  };
  const find = (name: string, { goal }: KnownPlan): Tool => {
    const tool = name === AGENT_REACT ? undefined : deps.toolbox.get(name);
    const isAllowed = goal.tools?.includes(name) !== false && granted?.includes(name) !== false;
    if (tool === undefined || !isAllowed) {
      throw new PermanentError(`there is no tool ${name} here that this plan may use`, {
        code: "unknown_tool",
      });
    }
    return tool;
  };
  return {
    async specs(names) {
      const plan = await planNow();
      return names.map((name) => find(name, plan).spec);
    },
    async recorded() {
      const plan = await planNow();
      return runOf(plan, { stepId, item })?.turns ?? [];
    },
    async call(turn, name, args) {
      const plan = await planNow();
      const tool = find(name, plan);
      const refusal = refusalOf(tool.spec, plan);
      if (refusal !== undefined) return { error: { code: "needs_approval", message: refusal } };
      // Paused, cancelled or taken over meanwhile: nothing more is changed.
      if (tool.spec.effect !== "read" && !isAttemptWanted(plan, work)) {
        throw new DOMException("the step is no longer wanted", "AbortError");
      }
      try {
        const output = await tool.run(args, callContext(work, context, { turn, spec: tool.spec }));
        return { output: await keepOutput(deps.artifacts, work, output, turn) };
      } catch (error) {
        context.signal.throwIfAborted();
        const code = error instanceof PermanentError ? error.code : "failed";
        return { error: { code, message: describeError(error).slice(0, MESSAGE_CHARS_MAX) } };
      }
    },
    async record(turn) {
      const event = eventOf({
        id: `${planId}/${stepId}/${item}/turn/${turn.turn}/${attempt}`,
        type: "turn.taken",
        planId,
        at: deps.now().toISOString(),
        data: { stepId, item, attempt, ...turn },
      });
      try {
        await deps.publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } });
        return true;
      } catch (error) {
        if (error instanceof ConflictError) return false;
        throw error;
      }
    },
  };
}

function refusalOf({ name, effect, risk }: ToolSpec, { goal }: KnownPlan): string | undefined {
  const why = waitsForApproval(goal.approval, risk)
    ? `${name} (${risk} risk) needs a person's approval`
    : effect === "once"
      ? `${name} acts once and cannot be repeated`
      : undefined;
  return why && `${why}: it has to be a step of the plan, so finish with requiresReplan and say so`;
}

/** Each call has an effect key of its own, the same over all attempts: its turn is its number. */
function callContext(
  work: StepWork,
  context: ToolContext,
  { turn, spec }: { readonly turn: number; readonly spec: ToolSpec },
): ToolContext {
  const { desk: _desk, ...rest } = context;
  return {
    ...rest,
    effectKey: (call = 0) => (call === 0 ? effectKey(work, turn) : `${effectKey(work, turn)}.${call}`),
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(spec.timeoutMs)]),
    noteFacts: () => undefined,
    requireReplan: () => undefined,
  };
}
