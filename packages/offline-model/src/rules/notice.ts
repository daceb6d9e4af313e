/** How the offline model says what it is, wherever its words are shown. */
export const NOTICE = "offline model: rules, not a language model";

/** What would help where rules cannot. */
export const REMEDY =
  "Set OPENAI_API_KEY (and OPENAI_BASE_URL for another server) to plan and write with a language model.";

/** The one sentence for goals that are neither about tables nor about documents. */
export const OUT_OF_SCOPE =
  "The built-in demo model only answers questions about the tables and documents it is given; set OPENAI_API_KEY (and OPENAI_BASE_URL for another server) to connect a language model for everything else.";

const REFUSAL = "The demo model does not understand";

/** A refusal that names the words, or says why known words do not make a question. */
export function refusalText(words: readonly string[], reason: string | null): string {
  const named = words
    .slice(0, 8)
    .map((word) => `“${word}”`)
    .join(", ");
  const what = named === "" ? `this goal: ${reason ?? "it does not say what is wanted"}` : named;
  const why = named === "" || reason === null ? "" : ` (${reason})`;
  return `${REFUSAL} ${what}${why}. Say it in other words, or set OPENAI_API_KEY (or OPENAI_BASE_URL) to connect a language model.`;
}

/** Whether a text is one of the refusals above. */
export function isRefusal(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith(REFUSAL) || start.startsWith(OUT_OF_SCOPE.slice(0, 40));
}
