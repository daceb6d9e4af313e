import type { ChatRequest } from "./chat-request.ts";
import type { Exchange } from "./exchange.ts";
import type { TextReply, Usage, Split } from "./reply.ts";

const CHARS_PER_TOKEN = 4;

/** Usage of all requests, including those that broke off. */
export type Tally = { inputTokens: number; outputTokens: number };

/** The protocol's usage object: as given in the reply, or estimated from lengths; null when the reply sends none. */
export function usageOf(
  request: ChatRequest,
  text: string,
  usage: Usage | "none" | undefined,
): object | null {
  if (usage === "none") return null;
  const { inputTokens, outputTokens } = countOf(request, text, usage);
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

/** Counts the part of a reply that was written. */
export function count({ request, tally }: Exchange, text: string, { usage }: TextReply): void {
  const { inputTokens, outputTokens } = countOf(request, text, usage === "none" ? undefined : usage);
  tally.inputTokens += inputTokens;
  tally.outputTokens += outputTokens;
}

/** Maximum length of a reply, by the request's own limit. */
export function charsMax({ max_tokens, max_completion_tokens }: ChatRequest): number {
  return (max_completion_tokens ?? max_tokens ?? Number.POSITIVE_INFINITY) * CHARS_PER_TOKEN;
}

function countOf(request: ChatRequest, text: string, usage: Usage | undefined): Tally {
  const estimated = (): number =>
    request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return {
    inputTokens: usage?.inputTokens ?? estimated(),
    outputTokens: usage?.outputTokens ?? estimateTokens(text),
  };
}

/** Cuts one piece of text into the contents of stream events; joined again they are the piece. */
export function splitText(piece: string, split: Split): readonly string[] {
  if (piece === "") return [];
  switch (split) {
    case "characters":
      return Array.from(piece);
    case "words":
    case "bytes":
      return piece.match(/\s*\S+|\s+$/g) ?? [piece];
    case "merged":
    case "pieces":
      return [piece];
    default:
      return split satisfies never;
  }
}

/** Four characters per token, the usual rule of thumb for English; at least one token for any text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
