/** Reads what a chat.completions server sends, whole or in pieces, and believes only what it has parsed. */
import { z } from "zod";
import { PermanentError, TransientError } from "../errors.ts";
import type { ModelReply } from "./model-client.ts";
import type { CountedTokens } from "./model-usage.ts";

/** A reply as the server gave it, before usage and cost are settled. */
export type RawReply = Pick<ModelReply, "text" | "finishReason"> & {
  readonly model: string | undefined;
  readonly id: string | undefined;
  readonly counted: CountedTokens | undefined;
};

export const REPLY_CHARS_MAX = 4 * 1_048_576;

const Usage = z.object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() });

/** Fields that a server may leave out, or send as null, everywhere but where the text is. */
const Words = z.object({ content: z.string().nullish(), refusal: z.string().nullish() });

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
 * Reads a reply that came in one piece.
 *
 * @throws {TransientError} When it is not a completion.
 */
export function readCompletion(body: unknown): RawReply {
  const { id, model, choices, usage } = parsed(Completion, body);
  const choice = choices[0];
  const collected = new Collected();
  collected.add(choice?.message);
  return collected.reply({ id, model, usage, finishReason: choice?.finish_reason ?? "stop" });
}

/**
 * Reads a streamed reply, handing on each piece of text in order.
 *
 * @throws {TransientError} When a chunk is malformed or the stream ends before the reply does.
 * @throws Whatever `onText` throws.
 */
export async function readStream(
  chunks: AsyncIterable<unknown>,
  onText: (piece: string) => void,
): Promise<RawReply> {
  const collected = new Collected();
  let id: string | undefined;
  let model: string | undefined;
  let usage: z.infer<typeof Usage> | undefined;
  let finishReason: string | undefined;
  for await (const received of chunks) {
    const chunk = parsed(Chunk, received);
    id ??= chunk.id ?? undefined;
    model ??= chunk.model ?? undefined;
    // The chunk with the usage has no choices, and is the last.
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    finishReason = choice?.finish_reason ?? finishReason;
    const piece = collected.add(choice?.delta);
    if (piece !== "") onText(piece);
  }
  if (finishReason === undefined) throw new TransientError("the stream ended before the model's reply did");
  return collected.reply({ id, model, usage, finishReason });
}

/** The words of a reply so far, within {@link REPLY_CHARS_MAX}. */
class Collected {
  #text: string[] = [];
  #refusal: string[] = [];
  #chars = 0;

  /** Returns the text that was added. */
  add(words: z.infer<typeof Words> | null | undefined): string {
    const text = words?.content ?? "";
    const refusal = words?.refusal ?? "";
    this.#chars += text.length + refusal.length;
    if (this.#chars > REPLY_CHARS_MAX) {
      const message = `the model's reply is longer than ${REPLY_CHARS_MAX} characters`;
      throw new PermanentError(message, { code: "model_reply_too_large" });
    }
    this.#text.push(text);
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
    const text = refusal === "" ? this.#text.join("") : refusal;
    return {
      text,
      finishReason: refusal === "" ? finishReasonOf(facts.finishReason) : "refusal",
      id: facts.id ?? undefined,
      model: facts.model ?? undefined,
      counted: countedOf(facts.usage ?? undefined, text),
    };
  }
}

function finishReasonOf(word: string): ModelReply["finishReason"] {
  if (word === "length" || word === "max_tokens") return "length";
  return word === "content_filter" ? "content_filter" : "stop";
}

/** Some servers always send zeros; a reply with words has used tokens. */
function countedOf(usage: z.infer<typeof Usage> | undefined, text: string): CountedTokens | undefined {
  if (usage === undefined) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  return inputTokens + outputTokens === 0 && text !== "" ? undefined : { inputTokens, outputTokens };
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new TransientError(
    `the model server sent something else than a completion: ${z.prettifyError(result.error)}`,
  );
}
