/**
 * `agent.react`: reason, act, observe, and again, over a few tools, until the step's goal is reached.
 *
 * After Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2022). Each turn is a fact of the
 * plan's log, so that whoever goes on with the step repeats no call that has returned.
 */
import { AGENT_REACT, canonicalJson, ToolName, type Turn, TURNS_MAX } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { type ModelReply, roomAfter } from "@planwright/shared/model";
import { z } from "zod";
import { defineTool, type NewTurn, type Tool, type ToolContext, type ToolDesk } from "./define-tool.ts";
import { materialOf } from "./material-of.ts";
import { reactPrompt } from "./react-prompt.ts";
import { taskOf, taskText } from "./task-of.ts";
import { type ReadTurn, readTurn, turnSchema } from "./read-turn.ts";

const TURNS_DEFAULT = 12;
/** So many turns in a row without a call that returned anything end the loop. */
const FAULTS_MAX = 3;
/** A dozen turns, each with its results so far. */
const MODEL_TOKENS = 65_536;

const inputUpTo = (turnsMax: number) =>
  z.strictObject({
    goal: taskText(20_000).describe("What to find out or do, in full sentences."),
    tools: z.array(ToolName).min(1).max(20).describe("Tools it may call."),
    context: z.unknown().describe("Material to start from.").optional(),
    maxTurns: z.int().min(1).max(turnsMax).default(Math.min(TURNS_DEFAULT, turnsMax)).describe("Max turns."),
  });
type Input = z.output<ReturnType<typeof inputUpTo>>;

const Output = z.object({
  result: z.string(),
  turns: z.int(),
  requires_replan: z.boolean(),
  reason: z.string().optional(),
});

/**
 * One step whose course only shows as it goes.
 *
 * @param turnsMax - What a step may ask for; default, and at most, 50.
 */
export function agentReact(turnsMax = TURNS_MAX): Tool {
  return defineTool({
    name: AGENT_REACT,
    description:
      "Let an agent reach a small goal with a few tools. Use it only if the calls cannot be planned in advance because each depends on the last result. " +
      "Output: {result, turns, requires_replan}.",
    input: inputUpTo(turnsMax),
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
  if (desk === undefined) throw new PermanentError("there are no tools to call here", { code: "no_desk" });
  const tools = await desk.specs(input.tools);
  const names = tools.map(({ name }) => name);
  let turns: readonly Turn[] = await desk.recorded();
  const take = async (turn: NewTurn): Promise<void> => {
    const isOurs = await desk.record(turn);
    // Another worker was faster: its turn counts, and its observation.
    turns = isOurs ? [...turns, { ...turn, attempt: context.attempt, at: "" }] : await desk.recorded();
  };
  const begun = await desk.goOn();
  if (begun !== undefined) await take(begun);
  let last: ModelReply | undefined;
  for (;;) {
    refuseStuck(turns, input);
    signal.throwIfAborted();
    const reply: ModelReply = await context.model.complete({
      ...roomAfter(last),
      ...reactPrompt.render({
        agent: context.agentPrompt,
        task: taskOf(input.goal, context.templates?.["goal"]),
        material: materialOf(input.context),
        tools,
        turns,
        turnsLeft: input.maxTurns - turns.length,
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
      const end = { result, turns: turns.length, requires_replan: replan !== undefined };
      if (replan === undefined) return end;
      context.requireReplan(replan);
      return { ...end, reason: replan };
    }
    await take(await act(desk, said, turns));
  }
}

async function act(
  desk: ToolDesk,
  said: Exclude<ReadTurn, { kind: "finish" }>,
  turns: readonly Turn[],
): Promise<NewTurn> {
  const { thought } = said;
  const turn = turns.length + 1;
  if (said.kind === "fault") {
    const { code, message, tool } = said;
    return { turn, thought, error: { code, message }, ...(tool === undefined ? {} : { tool }) };
  }
  const { tool, args } = said;
  const wanted = canonicalJson([tool, args]);
  const same = turns.find(
    (one) => mayHaveActed(one) && canonicalJson([one.tool ?? null, one.args ?? null]) === wanted,
  );
  if (same === undefined) return desk.call({ turn, thought, tool, args });
  const message =
    same.output === undefined
      ? `turn ${same.turn} has made this call, and nobody knows whether it took effect`
      : `turn ${same.turn} has made this call: its output is there`;
  return { turn, thought, tool, args, error: { code: "repeated_call", message } };
}

function mayHaveActed({ output, uncertain }: Turn): boolean {
  return output !== undefined || uncertain === true;
}

/** A loop that comes to nothing, or to no end, is a failure that trying again would only repeat. */
function refuseStuck(turns: readonly Turn[], { maxTurns }: Input): void {
  const last = turns.slice(-FAULTS_MAX);
  if (last.length === FAULTS_MAX && last.every(({ output }) => output === undefined)) {
    const why = last.map(({ error }) => error?.message ?? "no call").join("; ");
    throw new PermanentError(`${FAULTS_MAX} turns in a row came to nothing: ${why}`, { code: "react_stuck" });
  }
  if (turns.length < maxTurns) return;
  const thought = turns.at(-1)?.thought ?? "";
  throw new PermanentError(`not done after ${maxTurns} turns; the last thought: ${thought.slice(0, 500)}`, {
    code: "react_turns_exceeded",
  });
}
