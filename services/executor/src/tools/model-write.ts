import { FactClaim, isJsonObject, mergeClaims } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import {
  demoRefusalStatus,
  type ModelReply,
  type ModelRequest,
  roomAfter,
  salvageText,
  truncationOf,
  type ModelClient,
  REASONING_ONLY,
  parseStructured,
  strictSchemaOf,
} from "@planwright/shared/model";
import type { RenderedPrompt } from "@planwright/shared/prompt";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "./define-tool.ts";
import { digestPrompt, writePrompt, continuePrompt } from "./write-prompt.ts";
import { materialOf } from "./material-of.ts";
import { type Task, taskOf, taskText } from "./task-of.ts";
import { joinTexts, splitAtLastWord } from "./join-texts.ts";

/** Its own instructions plus a text of several pages. */
const MODEL_TOKENS = 8_192;
/** Facts passed on from step to step: the most certain ones. */
const FACTS_MAX = 100;
const PROMPT_CHARS_MAX = 50_000;

const Input = z.strictObject({
  prompt: taskText(PROMPT_CHARS_MAX).describe("What to write, in full sentences."),
  context: z.unknown().describe("Material to write from.").optional(),
  facts: z.unknown().describe("`facts` of other outputs to write from.").optional(),
  keepFacts: z.boolean().describe("Also return the `facts` of the context.").optional(),
});

/** Writes, compares, summarises or classifies with a model, using the outputs of other steps; continues a truncated text. */
export function modelWrite(): Tool {
  return defineTool({
    name: "model.write",
    description:
      "Have a language model write, summarize, compare, classify or explain. It has no tools and sees only `prompt` and `context`: pass the outputs it needs. Not for arithmetic or lookups. " +
      "Output: {text}.",
    input: Input,
    output: z.object({
      text: z.string(),
      truncated: z.literal(true).optional().describe("Present if the model was cut off."),
      status: z
        .enum(["unsupported_intent", "invalid_request"])
        .optional()
        .describe("Present if the built-in demo model cannot write this."),
      facts: z.array(FactClaim).optional().describe("The facts passed and recorded, if any."),
    }),
    risk: "low",
    effect: "read",
    timeoutMs: 180_000,
    modelTokens: MODEL_TOKENS,
    revises: true,
    run: runWrite,
  });
}

async function runWrite(args: z.output<typeof Input>, context: ToolContext) {
  const { model, stepModel, agentPrompt: agent, today, signal, progress, feedback, templates } = context;
  const known = mergeClaims(args.facts ?? [], FACTS_MAX);
  const keepFacts = args.keepFacts === true;
  const task = taskOf(args.prompt, templates?.["prompt"]);
  const request: ModelRequest = {
    ...promptOf({ ...args, task }, known, { feedback, agent, today }),
    ...(stepModel === undefined ? {} : { model: stepModel }),
    onText: progress,
    onRestart: () => undefined,
    signal,
  };
  const { text, facts, isCut } = keepFacts ? await digest(model, request) : await write(model, request);
  if (text.trim() === "") throw new TransientError("the model's reply is empty");
  if (keepFacts) context.noteFacts(facts);
  if (isCut) context.noteTruncated();
  return {
    text: text.trim(),
    ...(isCut ? { truncated: true as const } : {}),
    ...statusOf(text),
    ...(keepFacts || args.facts !== undefined ? { facts: mergeClaims([known, facts], FACTS_MAX) } : {}),
  };
}

/** A refusal must not be passed on as text: it sets the output's status, as in an answer. */
function statusOf(text: string): { status?: "unsupported_intent" | "invalid_request" } {
  const status = demoRefusalStatus(text);
  return status === undefined ? {} : { status };
}

type Written = { readonly text: string; readonly facts: readonly FactClaim[]; readonly isCut: boolean };

async function write(model: ToolContext["model"], request: ModelRequest): Promise<Written> {
  const reply = await writeWhole(model, request);
  refuseDeclined(reply);
  return { text: reply.text, facts: [], isCut: reply.finishReason === "length" };
}

/** JSON cannot be continued reliably: a truncated reply is requested once more, with a larger limit. */
async function digest(model: ToolContext["model"], request: ModelRequest): Promise<Written> {
  const asked = { ...request, outputSchema: { name: "digest", schema: DIGEST_SCHEMA } };
  const first = await model.complete(asked);
  const reply = truncationOf(first) === undefined ? first : await askAgain(model, asked, first);
  refuseDeclined(reply);
  if (truncationOf(reply) === undefined) return { ...readDigest(reply.text), isCut: false };
  return { text: salvageText(reply)?.text ?? "", facts: [], isCut: true };
}

/** The first reply is kept when the budget or the server does not allow a longer one. */
async function askAgain(
  model: ToolContext["model"],
  request: ModelRequest,
  first: ModelReply,
): Promise<ModelReply> {
  try {
    return await model.complete({ ...request, ...roomAfter(first) });
  } catch (error) {
    if (error instanceof PermanentError) return first;
    throw error;
  }
}

function refuseDeclined({ finishReason }: Pick<ModelReply, "finishReason">): void {
  if (finishReason !== "refusal" && finishReason !== "content_filter") return;
  throw new PermanentError(`the model declined to write this (${finishReason})`, { code: "model_refused" });
}

/** Plain writing has its own prompt, which does not mention facts. */
function promptOf(
  {
    task,
    context,
    facts,
    keepFacts = false,
  }: { task: Task; context?: unknown; facts?: unknown; keepFacts?: boolean | undefined },
  known: readonly FactClaim[],
  {
    feedback,
    agent,
    today,
  }: { feedback: ToolContext["feedback"]; agent: string | undefined; today: string | undefined },
): RenderedPrompt {
  const material = materialOf(context);
  return keepFacts || facts !== undefined
    ? digestPrompt.render({ agent, today, task, material, facts: known, keepFacts })
    : writePrompt.render({
        agent,
        today,
        task,
        material,
        ...(feedback === undefined ? {} : { rejected: rejectedOf(feedback) }),
      });
}

function rejectedOf({ output, issues, suggestion }: NonNullable<ToolContext["feedback"]>) {
  const text = isJsonObject(output) ? output["text"] : undefined;
  const draft = typeof text === "string" ? text : JSON.stringify(output);
  return { draft, issues: suggestion === "" ? issues : [...issues, suggestion] };
}

/** Maximum number of continuations of one text. */
export const CONTINUATIONS_MAX = 4;

/**
 * Requests a text and, while its replies are cut off at the length limit, continuations.
 *
 * @returns The whole text with `finishReason` `stop`; `length` when it is still truncated: after {@link CONTINUATIONS_MAX}
 * continuations, when one adds nothing, or when the budget allows no more.
 * @throws Errors of the first call, and {@link TransientError} from any.
 */
export async function writeWhole(
  model: Pick<ModelClient, "complete">,
  request: ModelRequest,
): Promise<Pick<ModelReply, "text" | "finishReason">> {
  const first = await model.complete(request);
  if (first.reasoningOnly === true) throw new TransientError(REASONING_ONLY);
  let { text, finishReason } = first;
  for (let count = 0; finishReason === "length" && count < CONTINUATIONS_MAX; count++) {
    const { kept } = splitAtLastWord(text);
    if (kept === "") break;
    const prompt = continuePrompt.render({ messages: request.messages, text: kept });
    const more = await completeOrStop(model, { ...request, ...prompt });
    if (more === undefined) break;
    const joined = joinTexts(text, more.text);
    if (joined.length <= kept.length) break;
    ({ finishReason } = more);
    text = joined;
  }
  return { text, finishReason };
}

/** Undefined when the model cannot or will not continue; the text so far is kept. */
async function completeOrStop(
  model: Pick<ModelClient, "complete">,
  request: ModelRequest,
): Promise<ModelReply | undefined> {
  try {
    const reply = await model.complete(request);
    return reply.finishReason === "stop" || reply.finishReason === "length" ? reply : undefined;
  } catch (error) {
    // Usually a spent budget.
    if (error instanceof PermanentError) return undefined;
    throw error;
  }
}

/** Maximum per text. */
const CLAIMS_MAX = 20;
const VALUE_CHARS_MAX = 500;
const KEY_CHARS_MAX = 128;

const Digest = z.object({
  text: z.string(),
  facts: z.array(
    z.object({
      key: z.string(),
      value: z.union([z.string(), z.number(), z.boolean()]),
      confidence: z.number(),
    }),
  ),
});

export const DIGEST_SCHEMA = strictSchemaOf(Digest);

/** The text and its facts; any other reply becomes the text, without facts. Never throws. */
export function readDigest(reply: string): { readonly text: string; readonly facts: readonly FactClaim[] } {
  const parsed = parseStructured("text with its facts", Digest, reply);
  if (!parsed.ok) return { text: reply, facts: [] };
  const facts = parsed.value.facts
    .filter(({ key }) => key.trim() !== "")
    .slice(0, CLAIMS_MAX)
    .map(({ key, value, confidence }) =>
      FactClaim.parse({
        key: key.trim().slice(0, KEY_CHARS_MAX),
        value: typeof value === "string" ? value.slice(0, VALUE_CHARS_MAX) : value,
        confidence: Math.min(1, Math.max(0, confidence)),
      }),
    );
  return { text: parsed.value.text, facts };
}
