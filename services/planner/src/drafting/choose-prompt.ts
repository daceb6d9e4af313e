import type { Prompt } from "@planwright/shared/prompt";
import type { ChosenStrategy, DraftFormat, DraftRequest } from "./draft-request.ts";
import { linesPrompt } from "./lines-prompt.ts";
import { planPrompt } from "./plan-prompt.ts";
import { sequentialPrompt } from "./sequential-prompt.ts";
import { treeSearchPrompt } from "./tree-search-prompt.ts";

/** The prompt that asks for a draft of a strategy in a format. */
export function choosePrompt(strategy: ChosenStrategy, format: DraftFormat): Prompt<DraftRequest> {
  if (strategy === "tree-search") return treeSearchPrompt;
  if (format === "lines") return linesPrompt;
  return strategy === "sequential" ? sequentialPrompt : planPrompt;
}
