import type { ChatRequest } from "./chat-request.ts";
import type { Exchange } from "./exchange.ts";
import type { TextReply, Usage } from "./reply.ts";
import { estimateTokens } from "./split-text.ts";

const CHARS_PER_TOKEN = 4;

/** What the server has counted over all requests, those that broke off included. */
export type Tally = { inputTokens: number; outputTokens: number };

/** The protocol's usage object: as the reply says, or estimated from lengths; null when the reply sends none. */
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

/** Counts a reply, as far as it was written. */
export function count({ request, tally }: Exchange, text: string, { usage }: TextReply): void {
  const { inputTokens, outputTokens } = countOf(request, text, usage === "none" ? undefined : usage);
  tally.inputTokens += inputTokens;
  tally.outputTokens += outputTokens;
}

/** How long a reply may be, by the request's own limit. */
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
