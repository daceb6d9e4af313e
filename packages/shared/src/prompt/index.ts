export { jsonBlock, textBlock } from "./block.ts";
export { describeResults, type ResultDescription } from "./describe-results.ts";
export { shortenJson, type ShortJson } from "./shorten-json.ts";
