import { DEMO_NOT_UNDERSTOOD, DEMO_OUT_OF_SCOPE, demoRefusalStatus } from "@planwright/shared/model";

/** How the demo model identifies itself, wherever its replies are shown. */
export const NOTICE = "demo model: rules, not a language model";

/** Ends an answer: states that rules wrote it, and how to use a language model for the next one. */
export const HOW_TO_CONNECT = `${NOTICE}; set OPENAI_API_KEY (or OPENAI_BASE_URL) to connect one`;

/** The sentence for goals that are neither about tables nor about documents. */
export const OUT_OF_SCOPE = DEMO_OUT_OF_SCOPE;

/** A refusal that names the words, or explains why known words do not form a question. */
export function refusalText(words: readonly string[], reason: string | null): string {
  const named = words
    .slice(0, 8)
    .map((word) => `“${word}”`)
    .join(", ");
  const what = named === "" ? `this goal: ${reason ?? "it does not say what is wanted"}` : named;
  const why = named === "" || reason === null ? "" : ` (${reason})`;
  return `${DEMO_NOT_UNDERSTOOD} ${what}${why}. Say it in other words, or set OPENAI_API_KEY (or OPENAI_BASE_URL) to connect a language model.`;
}

/** Whether a text is one of the refusals above. */
export function isRefusal(text: string): boolean {
  return demoRefusalStatus(text) !== undefined;
}
