/** Handles structured replies that end before they are complete. */
import { isWholeJson } from "./extract-json.ts";
import type { ModelReply, ModelRequest } from "../model-client.ts";

/** A second attempt gets this many times the first one's tokens. */
const ROOM_FACTOR = 4;
const ROOM_TOKENS_MIN = 4_096;
const ROOM_TOKENS_MAX = 65_536;

/** The error for a reply without text, whose reasoning never ended. */
export const REASONING_ONLY =
  "the reply ended within the model's reasoning, before the answer: raise its token limit, or use less reasoning";

/**
 * Returns why a reply that should be JSON must not be read: it reached the length limit before the JSON was complete.
 * Undefined when it can be read, also when only white space followed the JSON up to the limit.
 *
 * The sentence is addressed to the model that tries again.
 */
export function truncationOf({
  text,
  finishReason,
  reasoningOnly,
}: Pick<ModelReply, "text" | "finishReason" | "reasoningOnly">): string | undefined {
  if (reasoningOnly === true) return REASONING_ONLY;
  if (finishReason !== "length" || isWholeJson(text)) return undefined;
  return `the reply was cut off at the length limit after ${text.length} characters: write a shorter one`;
}

/** The limit for a second attempt after a truncated reply; no change otherwise. */
export function roomAfter(
  reply: Pick<ModelReply, "finishReason" | "usage"> | undefined,
): Pick<ModelRequest, "maxOutputTokens"> {
  if (reply?.finishReason !== "length") return {};
  const tokens = Math.max(ROOM_TOKENS_MIN, ROOM_FACTOR * reply.usage.outputTokens);
  return { maxOutputTokens: Math.min(ROOM_TOKENS_MAX, tokens) };
}
