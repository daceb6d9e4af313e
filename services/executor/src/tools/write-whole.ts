/** Has a model write a text to its end, though one reply may not be long enough for it. */
import { PermanentError, TransientError } from "@planwright/shared/errors";
import {
  type ModelClient,
  type ModelReply,
  type ModelRequest,
  REASONING_ONLY,
} from "@planwright/shared/model";
import { continuePrompt } from "./continue-prompt.ts";
import { joinTexts, splitAtLastWord } from "./join-texts.ts";

/** How often a model is asked to continue one text. */
export const CONTINUATIONS_MAX = 4;

/**
 * Asks for a text and, while its replies are cut off at the length limit, for the rest of it.
 *
 * @returns The whole text with `finishReason` `stop`; `length` when it still ends early: after
 *   {@link CONTINUATIONS_MAX} continuations, when one adds nothing, or when the budget allows no more.
 * @throws What the first call throws, and {@link TransientError} from any.
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

/** Undefined when the model may not or will not continue: what there is stays. */
async function completeOrStop(
  model: Pick<ModelClient, "complete">,
  request: ModelRequest,
): Promise<ModelReply | undefined> {
  try {
    const reply = await model.complete(request);
    return reply.finishReason === "stop" || reply.finishReason === "length" ? reply : undefined;
  } catch (error) {
    // Above all a budget that is spent.
    if (error instanceof PermanentError) return undefined;
    throw error;
  }
}
