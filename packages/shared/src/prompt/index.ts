export { jsonBlock, textBlock } from "./block.ts";
export { type DescribedResults, describeResults, type ResultDescription } from "./describe-results.ts";
export { shortenJson, type ShortJson } from "./shorten-json.ts";
