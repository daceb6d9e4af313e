import { FactClaim, isJsonObject, mergeClaims } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import type { ModelReply } from "@planwright/shared/model";
import type { RenderedPrompt } from "@planwright/shared/prompt";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "./define-tool.ts";
import { digestPrompt } from "./digest-prompt.ts";
import { materialOf } from "./material-of.ts";
import { digestSchema, readDigest } from "./read-digest.ts";
import { type Task, taskOf, taskText } from "./task-of.ts";
import { writePrompt } from "./write-prompt.ts";

/** Its own instructions, and a text of some pages. */
const MODEL_TOKENS = 8_192;
/** Handed on from step to step: the most certain ones. */
const FACTS_MAX = 100;
const PROMPT_CHARS_MAX = 50_000;

/** One model call: writes, compares, summarizes or classifies, given the outputs of other steps. */
export function modelWrite(): Tool {
  return defineTool({
    name: "model.write",
    description:
      "Ask a language model to write, summarize, compare, classify or explain, once, from the context given. " +
      "It has no tools and knows nothing of other steps: pass what it needs in `context`, such as " +
      '{"$ref": "s1.output.hits"} or {"plans": {"$ref": "s1.output.rows"}}. ' +
      'Do not use it for arithmetic or for looking things up. Output: {"text": "..."}; refer to it as {"$ref": "s2.output.text"}.',
    input: z.strictObject({
      prompt: taskText(PROMPT_CHARS_MAX).describe("What to write, in full sentences."),
      context: z.unknown().describe("The material to write from: text or any JSON value.").optional(),
      facts: z
        .unknown()
        .describe("Facts to write from: `facts` of other outputs, or a list of them.")
        .optional(),
      keepFacts: z
        .boolean()
        .describe("Note the facts of the context as well, as `facts` of the output.")
        .optional(),
    }),
    output: z.object({
      text: z.string(),
      truncated: z
        .literal(true)
        .optional()
        .describe("Present when the model had to stop before it was done."),
      facts: z
        .array(FactClaim)
        .optional()
        .describe("Those that were given and those that were noted; only where there are such."),
    }),
    risk: "low",
    effect: "read",
    timeoutMs: 180_000,
    modelTokens: MODEL_TOKENS,
    revises: true,
    run: async (
      args,
      { model, stepModel, agentPrompt: agent, signal, progress, noteFacts, feedback, templates },
    ) => {
      const known = mergeClaims(args.facts ?? [], FACTS_MAX);
      const keepFacts = args.keepFacts === true;
      const task = taskOf(args.prompt, templates?.["prompt"]);
      const reply = await model.complete({
        ...promptOf({ ...args, task }, known, { feedback, agent }),
        ...(keepFacts ? { outputSchema: { name: "digest", schema: digestSchema() } } : {}),
        ...(stepModel === undefined ? {} : { model: stepModel }),
        onText: progress,
        signal,
      });
      refuseDeclined(reply);
      const { text, facts } = keepFacts ? readDigest(reply.text) : { text: reply.text, facts: [] };
      if (text.trim() === "") throw new TransientError("the model's reply is empty");
      if (keepFacts) noteFacts(facts);
      return {
        text: text.trim(),
        ...(reply.finishReason === "length" ? { truncated: true as const } : {}),
        ...(keepFacts || args.facts !== undefined ? { facts: mergeClaims([known, facts], FACTS_MAX) } : {}),
      };
    },
  });
}

function refuseDeclined({ finishReason }: ModelReply): void {
  if (finishReason !== "refusal" && finishReason !== "content_filter") return;
  throw new PermanentError(`the model declined to write this (${finishReason})`, { code: "model_refused" });
}

/** Plain writing has a prompt of its own, which says nothing of facts. */
function promptOf(
  {
    task,
    context,
    facts,
    keepFacts = false,
  }: { task: Task; context?: unknown; facts?: unknown; keepFacts?: boolean | undefined },
  known: readonly FactClaim[],
  { feedback, agent }: { feedback: ToolContext["feedback"]; agent: string | undefined },
): RenderedPrompt {
  const material = materialOf(context);
  return keepFacts || facts !== undefined
    ? digestPrompt.render({ agent, task, material, facts: known, keepFacts })
    : writePrompt.render({
        agent,
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
