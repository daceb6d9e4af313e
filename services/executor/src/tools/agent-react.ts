/**
 * `agent.react`: reasons, acts and observes in a loop over a few tools, until the step's goal is reached.
 *
 * After Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2022). A turn can have several calls. Each
 * outcome is an event in the plan's log, so that a worker that continues the step repeats no call that has returned.
 */
import {
  AGENT_REACT,
  LOOP_CALLS_MAX,
  ToolName,
  type Turn,
  TURNS_MAX,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  toolNameFor,
  TURN_CALLS_MAX,
} from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import {
  type ModelReply,
  roomAfter,
  extractJson,
  parseStructured,
  strictSchemaOf,
  truncationOf,
} from "@planwright/shared/model";
import { dateOf } from "@planwright/shared/prompt";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "./define-tool.ts";
import { openCourse } from "./loop-course.ts";
import { materialOf } from "./material-of.ts";
import { reactPrompt } from "./react-prompt.ts";
import { taskOf, taskText } from "./task-of.ts";

const TURNS_DEFAULT = 12;
const CALLS_DEFAULT = 50;
/** This many consecutive turns without a call that returned anything end the loop. */
const FAULTS_MAX = 3;
/** Enough for a dozen turns, each with the results so far. */
const MODEL_TOKENS = 65_536;

const inputUpTo = ({ turnsMax, callsMax }: { readonly turnsMax: number; readonly callsMax: number }) =>
  z.strictObject({
    goal: taskText(20_000).describe("What to find out or do, in full sentences."),
    tools: z.array(ToolName).min(1).max(20).describe("Tools it may call."),
    context: z.unknown().describe("Material to start from.").optional(),
    /** Limits of turns, and of tool calls in all of them: the names tell a planner enough. */
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

/** The most that a step can request, over all its attempts. */
export type ReactLimits = {
  /** Default and maximum: 50. */
  readonly turnsMax?: number | undefined;
  /** Default and maximum: 100. */
  readonly callsMax?: number | undefined;
};

/** One step whose course only becomes clear as it runs. */
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
  // The same in every attempt, so that a repeated request for a turn has the same text.
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

/** A loop without progress or end has failed in a way that a retry would only repeat. */
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

const THOUGHT_CHARS_MAX = 4_000;

/** A call as models write it if the schema is not enforced: with plain arguments, or like a native tool call. */
const LenientCall = z.object({
  tool: z.string().nullish(),
  name: z.string().nullish(),
  argsJson: z.string().nullish(),
  args: z.record(z.string(), z.json()).nullish(),
  arguments: z.union([z.string(), z.record(z.string(), z.json())]).nullish(),
});
type LenientCall = z.output<typeof LenientCall>;

/** The same for a whole turn: with missing fields, or a single call instead of the list. */
const LenientTurn = z.preprocess(
  listingCalls,
  LenientCall.extend({
    thought: z.string().nullish(),
    calls: z.array(z.preprocess(withoutWrapper, LenientCall)).nullish(),
    result: z.string().nullish(),
    requiresReplan: z.boolean().nullish(),
    reason: z.string().nullish(),
  }),
);

/** A call that the model wants; if it has an error, it cannot be made. */
export type ReadCall =
  | { readonly tool: string; readonly args: JsonObject }
  | { readonly tool?: string; readonly error: ReadFault };
export type ReadFault = { readonly code: string; readonly message: string };

export type ReadTurn = { readonly thought: string } & (
  | { readonly kind: "calls"; readonly calls: readonly ReadCall[] }
  | { readonly kind: "finish"; readonly result: string; readonly replan: string | undefined }
  | { readonly kind: "fault"; readonly error: ReadFault }
);

/** Every field required, nothing else allowed: this is what strict structured output accepts. */
export function turnSchema(tools: readonly string[]): JsonSchema {
  const call = z.strictObject({ tool: z.enum(tools), argsJson: z.string() });
  const turn = z.strictObject({
    thought: z.string(),
    // Strict structured output supports no limit: `readTurn` enforces it.
    calls: z.array(call),
    result: z.string().nullable(),
    requiresReplan: z.boolean(),
    reason: z.string().nullable(),
  });
  return strictSchemaOf(turn);
}

/** Parses a model's reply to what it wants to do next; a truncated reply is a fault. Never throws. */
export function readTurn(
  reply: Pick<ModelReply, "text" | "finishReason">,
  tools: readonly string[],
): ReadTurn {
  const { text } = reply;
  const truncation = truncationOf(reply);
  if (truncation !== undefined) return fault(text.slice(0, 500), "truncated_turn", truncation);
  const parsed = parseStructured("turn", LenientTurn, text);
  if (!parsed.ok) {
    const message = parsed.issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join("; ");
    return fault(text.slice(0, 500), "malformed_turn", message.slice(0, 1_000));
  }
  const { calls: listed, result, requiresReplan, reason } = parsed.value;
  const thought = (parsed.value.thought ?? "").slice(0, THOUGHT_CHARS_MAX);
  const calls = listed ?? (nameOf(parsed.value) === undefined ? [] : [parsed.value]);
  if (calls.length > TURN_CALLS_MAX) {
    const message = `a turn has max ${TURN_CALLS_MAX} calls, got ${calls.length}: none was made`;
    return fault(thought, "too_many_calls", message);
  }
  if (calls.length > 0) {
    return { kind: "calls", thought, calls: calls.map((call) => readCall(call, tools)) };
  }
  if (result === undefined || result === null || result.trim() === "") {
    return fault(thought, "malformed_turn", "wanted calls or a result, got neither");
  }
  const why = reason?.trim() ?? "";
  const replan = why === "" ? "the step found that the plan has to change" : why;
  return { kind: "finish", thought, result, replan: requiresReplan === true ? replan : undefined };
}

function fault(thought: string, code: string, message: string): ReadTurn {
  return { kind: "fault", thought, error: { code, message } };
}

function readCall(call: LenientCall, tools: readonly string[]): ReadCall {
  const named = nameOf(call) ?? "";
  const tool = toolNameFor(named, new Map(tools.map((name) => [name, name])));
  if (!tools.includes(tool)) {
    const message = `there is no tool ${JSON.stringify(tool.slice(0, 100))}; there are ${tools.join(", ")}`;
    return { error: { code: "unknown_tool", message } };
  }
  const given = call.args ?? call.arguments ?? call.argsJson ?? "{}";
  const args = typeof given === "string" ? (extractJson(given)?.value as Json | undefined) : given;
  if (args !== undefined && isJsonObject(args)) return { tool, args };
  const message = `wanted the arguments of ${tool} as a JSON object, got ${JSON.stringify(given).slice(0, 200)}`;
  return { tool, error: { code: "invalid_arguments", message } };
}

/** Undefined if no tool is named. */
function nameOf({ tool, name }: LenientCall): string | undefined {
  return tool ?? name ?? undefined;
}

/** Accepts a bare list as the calls, and `tool_calls` too. */
function listingCalls(value: unknown): unknown {
  if (Array.isArray(value)) return { calls: value };
  if (typeof value !== "object" || value === null || !("tool_calls" in value)) return value;
  return { calls: value.tool_calls, ...value };
}

/** `{"type": "function", "function": {"name": …, "arguments": …}}`, the form of native tool calls. */
function withoutWrapper(value: unknown): unknown {
  const isWrapped = typeof value === "object" && value !== null && "function" in value;
  return isWrapped ? value.function : value;
}
