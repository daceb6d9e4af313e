/** Handles structured replies that end before they are complete. */
import { isWholeJson } from "./extract-json.ts";
import type { ModelReply, ModelRequest } from "../model-client.ts";

/** A second try gets room for this many times the tokens of the first. */
const ROOM_FACTOR = 4;
const ROOM_TOKENS_MIN = 4_096;
const ROOM_TOKENS_MAX = 65_536;

/** Why a reply has no text, where its reasoning never ended. */
export const REASONING_ONLY =
  "the reply ended within the model's reasoning, before the answer: raise its token limit, or use less reasoning";

/**
 * Why a reply that was to be JSON must not be read: it reached the length limit before the JSON was whole.
 * Undefined when it may be read, also when only white space followed the JSON until the limit.
 *
 * The sentence is for the model that tries again.
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

/** The limit for a second try after a reply that was cut off; nothing to set when it was not. */
export function roomAfter(
  reply: Pick<ModelReply, "finishReason" | "usage"> | undefined,
): Pick<ModelRequest, "maxOutputTokens"> {
  if (reply?.finishReason !== "length") return {};
  const tokens = Math.max(ROOM_TOKENS_MIN, ROOM_FACTOR * reply.usage.outputTokens);
  return { maxOutputTokens: Math.min(ROOM_TOKENS_MAX, tokens) };
}
