/**
 * `agent.react`: reason, act, observe, and again, over a few tools, until the step's goal is reached.
 *
 * After Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2022). Each turn is a fact of the
 * plan's log, so that whoever goes on with the step repeats no call that has returned.
 */
import { AGENT_REACT, canonicalJson, ToolName, type Turn, TURNS_MAX } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext, type ToolDesk } from "./define-tool.ts";
import { materialOf } from "./material-of.ts";
import { reactPrompt } from "./react-prompt.ts";
import { taskOf, taskText } from "./task-of.ts";
import { type ReadTurn, readTurn, turnSchema } from "./read-turn.ts";

const TURNS_DEFAULT = 12;
/** So many turns in a row without a call that returned anything end the loop. */
const FAULTS_MAX = 3;
/** A dozen turns, each with its results so far. */
const MODEL_TOKENS = 65_536;

const Input = z.strictObject({
  goal: taskText(20_000).describe("What to find out or to do, in full sentences."),
  tools: z.array(ToolName).min(1).max(20).describe("The tools that it may call, by name."),
  context: z.unknown().describe("What it may start from: text or any JSON value.").optional(),
  maxTurns: z.int().min(1).max(TURNS_MAX).default(TURNS_DEFAULT).describe("How many turns it may take."),
});
type Input = z.output<typeof Input>;

const Output = z.object({
  result: z.string(),
  turns: z.int(),
  requires_replan: z.boolean(),
  reason: z.string().optional(),
});

/** One step whose course only shows as it goes. */
export function agentReact(): Tool {
  return defineTool({
    name: AGENT_REACT,
    description:
      "Let an agent reach a small goal by itself with a few tools: it looks at each result before it makes the next call. " +
      "Use it only where the calls cannot be planned beforehand, since each depends on what the last one returned. " +
      'It can call nothing that needs an approval. Output: {"result": "...", "turns": 3, "requires_replan": false}; refer to it as {"$ref": "s1.output.result"}.',
    input: Input,
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
  for (;;) {
    refuseStuck(turns, input);
    signal.throwIfAborted();
    const reply = await context.model.complete({
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
    const said = readTurn(reply.text, names);
    context.progress(said.thought);
    if (said.kind === "finish") {
      const { result, replan } = said;
      const end = { result, turns: turns.length, requires_replan: replan !== undefined };
      if (replan === undefined) return end;
      context.requireReplan(replan);
      return { ...end, reason: replan };
    }
    const number = turns.length + 1;
    const turn = { turn: number, ...(await act(desk, said, { turns, number })) };
    const isOurs = await desk.record(turn);
    // Another worker was faster: its turn counts, and its observation.
    turns = isOurs ? [...turns, { ...turn, attempt: context.attempt, at: "" }] : await desk.recorded();
  }
}

type Acted = Omit<Turn, "turn" | "attempt" | "at">;

async function act(
  desk: ToolDesk,
  said: Exclude<ReadTurn, { kind: "finish" }>,
  { turns, number }: { readonly turns: readonly Turn[]; readonly number: number },
): Promise<Acted> {
  const { thought } = said;
  if (said.kind === "fault") {
    const { code, message, tool } = said;
    return { thought, error: { code, message }, ...(tool === undefined ? {} : { tool }) };
  }
  const { tool, args } = said;
  const wanted = canonicalJson([tool, args]);
  const same = turns.find(
    (turn) => turn.output !== undefined && canonicalJson([turn.tool, turn.args]) === wanted,
  );
  if (same !== undefined) {
    const message = `turn ${same.turn} has made this call: its output is there`;
    return { thought, tool, args, error: { code: "repeated_call", message } };
  }
  return { thought, tool, args, ...(await desk.call(number, tool, args)) };
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
