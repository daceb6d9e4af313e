/** Reads the replies of a chat.completions server, whole or streamed, and validates all of them. */
import { z } from "zod";
import { PermanentError, TransientError } from "../../errors.ts";
import type { ModelReply } from "../model-client.ts";
import type { CountedTokens } from "../spending/model-usage.ts";
import {
  createReasoningFilter,
  JSON_BEGINS,
  type ReasoningState,
  type ReplyForm,
  stripReasoning,
} from "./strip-reasoning.ts";
import { unusableBody } from "./unusable-reply.ts";

/** The server's reply, before usage and cost are settled. */
export type RawReply = Pick<ModelReply, "text" | "finishReason"> & {
  /** The complete output of the model, including its reasoning. */
  readonly written: string;
  readonly reasoning: ReasoningState;
  readonly model: string | undefined;
  readonly id: string | undefined;
  readonly counted: CountedTokens | undefined;
};

export const REPLY_CHARS_MAX = 4 * 1_048_576;

const Count = z.int().nonnegative().nullish().catch(undefined);

const Usage = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  prompt_tokens_details: z
    .object({ cached_tokens: Count, cache_write_tokens: Count })
    .nullish()
    .catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: Count }).nullish().catch(undefined),
  // Sent by gateways to Anthropic's API.
  cache_creation_input_tokens: Count,
});

/** Some servers send text in parts, with parts of reasoning among them. */
const Parts = z
  .array(z.looseObject({ type: z.string().optional(), text: z.unknown().optional() }))
  .transform((parts) =>
    parts
      .map(({ type = "text", text }) =>
        /^(?:output_)?text$/.test(type) && typeof text === "string" ? text : "",
      )
      .join(""),
  );

const CalledTools = z.array(z.object({ function: z.object({ name: z.string().nullish() }).nullish() }));

/** Fields that a server can omit, or send as null, except for the one that contains the text. */
const Words = z.object({
  content: z.union([z.string(), Parts]).nullish(),
  refusal: z.string().nullish(),
  // Servers that separate reasoning from the text use one of two names for it.
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  tool_calls: CalledTools.nullish().catch(undefined),
});

const Chunk = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z.array(z.object({ delta: Words.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: Usage.nullish().catch(undefined),
});

const Completion = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z.array(z.object({ message: Words, finish_reason: z.string().nullish() })).min(1),
  usage: Usage.nullish().catch(undefined),
});

/**
 * Reads a reply that was not streamed.
 *
 * @throws {TransientError} When it is not a completion.
 * @throws {PermanentError} When it is an error that will occur again.
 */
export function readCompletion(body: unknown, form: ReplyForm): RawReply {
  const { id, model, choices, usage } = parsed(Completion, body);
  const choice = choices[0];
  const collected = new Collected(form);
  collected.add(choice?.message);
  return collected.reply({ id, model, usage, finishReason: choice?.finish_reason ?? "stop" });
}

/**
 * Reads a streamed reply, passing on each piece of text in order.
 *
 * @throws {TransientError} When a chunk is malformed or the stream ends before the reply does.
 * @throws Any error of `onText`.
 */
export async function readStream(
  chunks: AsyncIterable<unknown>,
  form: ReplyForm,
  onText: (piece: string) => void,
): Promise<RawReply> {
  const collected = new Collected(form);
  const filter = createReasoningFilter(form);
  let isEmpty = true;
  let id: string | undefined;
  let model: string | undefined;
  let usage: z.infer<typeof Usage> | undefined;
  let finishReason: string | undefined;
  for await (const received of chunks) {
    isEmpty = false;
    const chunk = parsed(Chunk, received);
    id ??= chunk.id ?? undefined;
    model ??= chunk.model ?? undefined;
    // The chunk with the usage has no choices, and is the last.
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    finishReason = choice?.finish_reason ?? finishReason;
    const piece = filter.push(collected.add(choice?.delta));
    if (piece !== "") onText(piece);
  }
  if (isEmpty) throw new TransientError("the model server answered 200 with an empty body");
  if (finishReason === undefined)
    throw new TransientError("the stream ended before the model's reply was complete");
  const reply = collected.reply({ id, model, usage, finishReason });
  const { text } = filter.end();
  if (text !== "") onText(text);
  return reply;
}

/** The text of a reply so far, within {@link REPLY_CHARS_MAX}. */
class Collected {
  readonly #form: ReplyForm;
  #text: string[] = [];
  #refusal: string[] = [];
  #chars = 0;
  /** The reasoning that the server sent separately from the text. */
  #reasoning: string[] = [];
  #tool: string | undefined;

  constructor(form: ReplyForm) {
    this.#form = form;
  }

  /** Returns the text that was added. */
  add(words: z.infer<typeof Words> | null | undefined): string {
    const text = words?.content ?? "";
    const refusal = words?.refusal ?? "";
    const reasoning = words?.reasoning_content ?? words?.reasoning ?? "";
    const called = words?.tool_calls?.[0];
    if (called !== undefined) this.#tool ??= called.function?.name ?? "";
    this.#chars += text.length + refusal.length + reasoning.length;
    if (this.#chars > REPLY_CHARS_MAX) {
      const message = `the model's reply is longer than ${REPLY_CHARS_MAX} characters`;
      throw new PermanentError(message, { code: "model_reply_too_large" });
    }
    this.#text.push(text);
    this.#reasoning.push(reasoning);
    this.#refusal.push(refusal);
    return text;
  }

  reply(facts: {
    readonly id: string | null | undefined;
    readonly model: string | null | undefined;
    readonly usage: z.infer<typeof Usage> | null | undefined;
    readonly finishReason: string;
  }): RawReply {
    const refusal = this.#refusal.join("");
    const written = this.#text.join("");
    if (written.trim() === "" && refusal === "" && this.#tool !== undefined) {
      throw new TransientError(
        `the model called the tool ${JSON.stringify(this.#tool.slice(0, 100))} instead of writing its reply, although no tools were offered`,
      );
    }
    const finishReason = finishReasonOf(facts.finishReason);
    const { text, reasoning } = this.#answer(written, finishReason);
    return {
      text: refusal === "" ? text : refusal,
      written,
      reasoning,
      finishReason: refusal === "" ? finishReason : "refusal",
      id: facts.id ?? undefined,
      model: facts.model ?? undefined,
      counted: countedOf(facts.usage ?? undefined, written),
    };
  }

  /** A reply that was cut off right after its reasoning is only reasoning, wherever the server put it. */
  #answer(written: string, finishReason: RawReply["finishReason"]): Pick<RawReply, "text" | "reasoning"> {
    const { text, reasoning } = stripReasoning(written, this.#form);
    const apart = this.#reasoning.join("").trim();
    if (text.trim() === "" && apart !== "") {
      // Some servers with structured output report the JSON itself as reasoning.
      const isAnswer = finishReason === "stop" && this.#form.begins === JSON_BEGINS && /^[{[]/.test(apart);
      return isAnswer ? { text: apart, reasoning: "none" } : { text: "", reasoning: "unclosed" };
    }
    if (finishReason === "length" && this.#form.unopened && reasoning === "none")
      return { text: "", reasoning: "unclosed" };
    return { text, reasoning };
  }
}

function finishReasonOf(word: string): ModelReply["finishReason"] {
  if (word === "length" || word === "max_tokens") return "length";
  return word === "content_filter" ? "content_filter" : "stop";
}

/** Some servers always send zeros, but a reply with text has used tokens. */
function countedOf(usage: z.infer<typeof Usage> | undefined, text: string): CountedTokens | undefined {
  if (usage === undefined) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  if (inputTokens + outputTokens === 0 && text !== "") return undefined;
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
  const cached = input?.cached_tokens;
  const written = input?.cache_write_tokens ?? usage.cache_creation_input_tokens;
  const reasoning = output?.reasoning_tokens;
  return {
    inputTokens,
    outputTokens,
    ...(isCount(cached) ? { cachedInputTokens: Math.min(cached, inputTokens) } : {}),
    ...(isCount(written) ? { cacheWriteInputTokens: Math.min(written, inputTokens) } : {}),
    ...(isCount(reasoning) ? { reasoningOutputTokens: Math.min(reasoning, outputTokens) } : {}),
  };
}

function isCount(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unusableBody(value, result.error);
}
