export {
  BLOCK_TAGS,
  type BlockTag,
  jsonBlock,
  textBlock,
  goalBlocks,
  type StatedGoal,
  factsBlocks,
  dateOf,
  todayAt,
  todayBlock,
} from "./block.ts";
export {
  definePrompt,
  type Prompt,
  type PromptId,
  type PromptTexts,
  type RenderedPrompt,
} from "./define-prompt.ts";
export { describeResults, shareRoom } from "./describe-results.ts";
/** For code that writes prompts, or replies like a model. */
export { fromWire, type Json, toWire } from "@planwright/plan";
export { shortenJson } from "./shorten-json.ts";
