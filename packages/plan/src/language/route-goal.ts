import type { ToolSpec } from "./tool-spec.ts";

const WRITER = "model.write";
const TRIVIAL_CHARS_MAX = 2_000;

/** The choice of the `auto` strategy, and the reason as one sentence for users. */
export type Route = { readonly strategy: "direct" | "parallel" | "tree-search"; readonly reason: string };

/** Greetings and thanks, alone: "hello there!", "thanks a lot". */
const COURTESY =
  /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks?|thank you|many thanks|cheers|bye|goodbye|how are you|hallo|guten (?:morgen|tag|abend)|danke|bonjour|merci|hola|gracias)\b(?:[\s,!.?]+(?:there|all|everyone|team|again|so much|very much|a lot|today|doing|how are you))*\W*$/i;

/** A request to work on text that the goal itself contains. */
const WORK_ON_TEXT =
  /^\W*(?:(?:please|could you|can you|would you)\s+)*(?:rewrite|rephrase|reword|paraphrase|proofread|translate|shorten|correct|fix the (?:grammar|spelling))\b/i;
const DEFINE =
  /^\W*(?:(?:please|could you|can you)\s+)*(?:define\b|what does\b.{1,80}\bmean\b|what is the (?:meaning|definition) of\b)/i;

/** Problems with many possible paths, most of them dead ends. */
const SEARCHES =
  /\b(?:solve|crack|unravel)\b.{0,80}\b(?:puzzles?|riddles?|mazes?|brain ?teasers?|sudoku|crosswords?|game of 24)\b|\b(?:try|explore|search through) (?:out )?(?:different|several|alternative|many|all) (?:ways|paths|routes|approaches|alternatives|combinations)\b/i;

/** Words that require information which the goal does not contain. */
const NEEDS_MORE =
  /\b(?:analy[sz]e|average|calculate|chart|columns?|compare|comparison|compute|count|csv|current|customers?|data|database|dataset|documents?|docs|download|email|fetch|files?|find|forecast|graph|how (?:many|much)|latest|look up|lookup|news|numbers?|orders?|page|percent|plot|post|price[sd]?|pricing|products?|query|region|report|research|revenue|rows?|sales|save|search|send|sources?|spreadsheet|sql|statistics|stock|sum|tables?|then|today|top|total|trend|upload|url|website|yesterday)\b|https?:\/\/|www\./i;

/**
 * Chooses what the `auto` strategy does with a goal: one call, a search, or a plan whose steps run in parallel.
 *
 * A plan is the default. One call is enough only if `model.write` is the only available tool, or if the goal is clearly a
 * courtesy, a definition, or work on text that it contains. Deterministic, based on words only: no model is called.
 */
export function routeGoal(goal: string, tools: ReadonlyMap<string, ToolSpec>): Route {
  if ([...tools.keys()].every((name) => name === WRITER)) {
    return {
      strategy: "direct",
      reason: `no tool but ${WRITER} is available, so one call does what a plan could`,
    };
  }
  const text = goal.trim();
  const direct = (reason: string): Route => ({ strategy: "direct", reason });
  if (COURTESY.test(text)) return direct("the goal is a greeting or thanks");
  if (text.length <= TRIVIAL_CHARS_MAX) {
    const instruction = instructionOf(text);
    if (WORK_ON_TEXT.test(text) && instruction !== text && !NEEDS_MORE.test(instruction)) {
      return direct("the goal asks for work on words that it brings itself");
    }
    if (DEFINE.test(text) && !NEEDS_MORE.test(text)) return direct("the goal asks for a definition");
  }
  if (SEARCHES.test(text)) {
    return { strategy: "tree-search", reason: "the goal has many ways that have to be tried out" };
  }
  return {
    strategy: "parallel",
    reason: "the goal may need tools, so it is planned and its steps run in parallel",
  };
}

/** The goal without the text it contains: the parts in quotes, or after a colon. */
function instructionOf(text: string): string {
  const colon = text.search(/:\s/);
  const instruction = colon === -1 ? text : text.slice(0, colon);
  return instruction.replaceAll(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<=^|\s)'[^']*'/g, " ");
}
