import { FactClaim, isJsonObject, mergeClaims } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import {
  demoRefusalStatus,
  type ModelReply,
  type ModelRequest,
  roomAfter,
  salvageText,
  truncationOf,
} from "@planwright/shared/model";
import type { RenderedPrompt } from "@planwright/shared/prompt";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "./define-tool.ts";
import { digestPrompt } from "./digest-prompt.ts";
import { materialOf } from "./material-of.ts";
import { DIGEST_SCHEMA, readDigest } from "./read-digest.ts";
import { type Task, taskOf, taskText } from "./task-of.ts";
import { writePrompt } from "./write-prompt.ts";
import { writeWhole } from "./write-whole.ts";

/** Its own instructions, and a text of some pages. */
const MODEL_TOKENS = 8_192;
/** Handed on from step to step: the most certain ones. */
const FACTS_MAX = 100;
const PROMPT_CHARS_MAX = 50_000;

const Input = z.strictObject({
  prompt: taskText(PROMPT_CHARS_MAX).describe("What to write, in full sentences."),
  context: z.unknown().describe("Material to write from.").optional(),
  facts: z.unknown().describe("`facts` of other outputs to write from.").optional(),
  keepFacts: z.boolean().describe("Also return the `facts` of the context.").optional(),
});

/** Writes, compares, summarizes or classifies with a model, given the outputs of other steps; continues a text that is cut off. */
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

/** A refusal is not a text to continue with: as an answer it has the status of one. */
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

/** JSON cannot be continued reliably: a reply that was cut off is asked for again, once, with more room. */
async function digest(model: ToolContext["model"], request: ModelRequest): Promise<Written> {
  const asked = { ...request, outputSchema: { name: "digest", schema: DIGEST_SCHEMA } };
  const first = await model.complete(asked);
  const reply = truncationOf(first) === undefined ? first : await askAgain(model, asked, first);
  refuseDeclined(reply);
  if (truncationOf(reply) === undefined) return { ...readDigest(reply.text), isCut: false };
  return { text: salvageText(reply)?.text ?? "", facts: [], isCut: true };
}

/** The first reply stays when the budget, or the server, allows no longer one. */
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

/** Plain writing has its own prompt, which says nothing of facts. */
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
