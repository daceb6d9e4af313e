/**
 * `agent.react`: reason, act, observe, and again, over a few tools, until the step's goal is reached.
 *
 * After Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2022). A turn may have several calls. Each
 * outcome is an event of the plan's log, so that a worker that continues the step repeats no call that has returned.
 */
import { AGENT_REACT, LOOP_CALLS_MAX, ToolName, type Turn, TURNS_MAX } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { type ModelReply, roomAfter } from "@planwright/shared/model";
import { dateOf } from "@planwright/shared/prompt";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "./define-tool.ts";
import { openCourse } from "./loop-course.ts";
import { materialOf } from "./material-of.ts";
import { reactPrompt } from "./react-prompt.ts";
import { taskOf, taskText } from "./task-of.ts";
import { readTurn, turnSchema } from "./read-turn.ts";

const TURNS_DEFAULT = 12;
const CALLS_DEFAULT = 50;
/** So many turns in a row without a call that returned anything end the loop. */
const FAULTS_MAX = 3;
/** A dozen turns, each with its results so far. */
const MODEL_TOKENS = 65_536;

const inputUpTo = ({ turnsMax, callsMax }: { readonly turnsMax: number; readonly callsMax: number }) =>
  z.strictObject({
    goal: taskText(20_000).describe("What to find out or do, in full sentences."),
    tools: z.array(ToolName).min(1).max(20).describe("Tools it may call."),
    context: z.unknown().describe("Material to start from.").optional(),
    /** Turns, and tool calls in all of them: the names say enough to a planner. */
    maxTurns: z.int().min(1).max(turnsMax).default(Math.min(TURNS_DEFAULT, turnsMax)),
    maxCalls: z.int().min(1).max(callsMax).default(Math.min(CALLS_DEFAULT, callsMax)),
  });
type Input = z.output<ReturnType<typeof inputUpTo>>;

const Output = z.object({
  result: z.string(),
  turns: z.int(),
  requires_replan: z.boolean(),
  reason: z.string().optional(),
});

/** What a step may ask for, over all its attempts. */
export type ReactLimits = {
  /** Default, and at most, 50. */
  readonly turnsMax?: number | undefined;
  /** Default, and at most, 100. */
  readonly callsMax?: number | undefined;
};

/** One step whose course only shows as it goes. */
export function agentReact({ turnsMax = TURNS_MAX, callsMax = LOOP_CALLS_MAX }: ReactLimits = {}): Tool {
  return defineTool({
    name: AGENT_REACT,
    description:
      "Let an agent reach a small goal with a few tools. Use it only if the calls cannot be planned in advance because each depends on the last result. " +
      "Output: {result, turns, requires_replan}.",
    input: inputUpTo({ turnsMax, callsMax }),
    output: Output,
    risk: "medium",
    effect: "idempotent",
    timeoutMs: 900_000,
    modelTokens: MODEL_TOKENS,
    run: react,
  });
}

async function react(input: Input, context: ToolContext): Promise<z.output<typeof Output>> {
  const { desk, signal } = context;
  if (desk === undefined) throw new PermanentError("no tools are available", { code: "no_desk" });
  const tools = await desk.specs(input.tools);
  const names = tools.map(({ name }) => name);
  const course = await openCourse(desk, { tools: names, attempt: context.attempt });
  // The same in every attempt: a turn that is asked for again is asked for with the same text.
  const today = dateOf(await desk.began());
  let last: ModelReply | undefined;
  for (;;) {
    const turns = course.turns();
    refuseStuck(turns, input);
    signal.throwIfAborted();
    const taken = turnsIn(turns);
    const callsLeft = Math.max(0, input.maxCalls - turns.filter(({ tool }) => tool !== undefined).length);
    const reply: ModelReply = await context.model.complete({
      ...roomAfter(last),
      ...reactPrompt.render({
        agent: context.agentPrompt,
        tools,
        today,
        task: taskOf(input.goal, context.templates?.["goal"]),
        material: materialOf(input.context),
        turns,
        turnsLeft: input.maxTurns - taken,
        callsLeft,
      }),
      outputSchema: { name: "react_turn", schema: turnSchema(names) },
      ...(context.stepModel === undefined ? {} : { model: context.stepModel }),
      signal,
    });
    last = reply;
    const said = readTurn(reply, names);
    context.progress(said.thought);
    if (said.kind === "finish") {
      const { result, replan } = said;
      const end = { result, turns: taken, requires_replan: replan !== undefined };
      if (replan === undefined) return end;
      context.requireReplan(replan);
      return { ...end, reason: replan };
    }
    await course.take(said, callsLeft);
  }
}

function turnsIn(turns: readonly Turn[]): number {
  return turns.at(-1)?.turn ?? 0;
}

/** A loop that comes to nothing, or to no end, is a failure that trying again would only repeat. */
function refuseStuck(turns: readonly Turn[], { maxTurns }: Input): void {
  const count = turnsIn(turns);
  const last = turns.filter(({ turn }) => turn > count - FAULTS_MAX);
  if (count >= FAULTS_MAX && last.every(({ output }) => output === undefined)) {
    const why = last.map(({ error }) => error?.message ?? "no call").join("; ");
    throw new PermanentError(`${FAULTS_MAX} turns in a row failed: ${why}`, { code: "react_stuck" });
  }
  if (count < maxTurns) return;
  const thought = turns.at(-1)?.thought ?? "";
  throw new PermanentError(`not done after ${maxTurns} turns; the last thought: ${thought.slice(0, 500)}`, {
    code: "react_turns_exceeded",
  });
}
