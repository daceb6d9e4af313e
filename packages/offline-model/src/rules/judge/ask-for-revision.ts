import type { JudgementPrompt } from "../../prompt/plan-prompt.ts";
import { formatValue, shorten } from "../text/format-value.ts";

/** Tools whose question another tool may answer: a search in place of a query or a page. */
const REPLACEABLE = /sql|query|fetch/;

/**
 * Why a revision would help, or null.
 *
 * Only when everything failed, revisions are left, and what failed has not been tried in another way yet:
 * rules that fail twice would fail a third time.
 */
export function askForRevision({ results, revisionsLeft }: JudgementPrompt): string | null {
  const failed = results.filter(({ status }) => status === "failed");
  if (revisionsLeft < 1 || failed.length === 0) return null;
  if (results.some(({ status }) => status === "succeeded")) return null;
  if (!failed.every(({ tool }) => REPLACEABLE.test(tool))) return null;
  const [first] = failed;
  const cause = first === undefined ? "" : `${first.tool}: ${shorten(formatValue(first.error), 200)}`;
  return `every step failed (${cause}); try another tool`;
}
