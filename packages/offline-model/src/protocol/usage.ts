import type { ChatRequest } from "./chat-request.ts";
import type { Usage } from "./reply.ts";
import { estimateTokens } from "./split-text.ts";

/** The protocol's usage object: as the reply says, or estimated from lengths; null when the reply sends none. */
export function usageOf(
  request: ChatRequest,
  text: string,
  usage: Usage | "none" | undefined,
): object | null {
  if (usage === "none") return null;
  const input =
    usage?.inputTokens ?? request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const output = usage?.outputTokens ?? estimateTokens(text);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
