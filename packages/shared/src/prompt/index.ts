export { BLOCK_TAGS, type BlockTag, jsonBlock, textBlock } from "./block.ts";
export {
  definePrompt,
  type Prompt,
  type PromptId,
  type PromptTexts,
  type RenderedPrompt,
} from "./define-prompt.ts";
export { describeResults } from "./describe-results.ts";
export { goalBlocks, type StatedGoal } from "./goal-blocks.ts";
export { factsBlocks } from "./facts-blocks.ts";
/** For those that write prompts, or replies as a model does. */
export { fromWire, type Json, toWire, WIRE_REFERENCE } from "@planwright/plan";
export { shareRoom } from "./share-room.ts";
export { shortenJson } from "./shorten-json.ts";
export { dateOf, todayAt, todayBlock } from "./today.ts";
