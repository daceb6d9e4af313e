/** Texts of the built-in demo model where its rules cannot write an answer, so that none of them counts as one. */

/** The reply to goals that are neither about tables nor about documents. */
export const DEMO_OUT_OF_SCOPE =
  "The built-in demo model only answers questions about arithmetic and about the tables and documents it is given; set OPENAI_API_KEY (and OPENAI_BASE_URL for another server) to connect a language model for everything else.";

/** Start of a refusal that names the part that was not understood. */
export const DEMO_NOT_UNDERSTOOD = "The demo model does not understand";

/** Start of the reply to a goal without a question. */
export const DEMO_NO_QUESTION = "The built-in demo model finds no question here.";

/** The answer status for a text of the demo model; `undefined` for any other text. */
export function demoRefusalStatus(text: string): "unsupported_intent" | "invalid_request" | undefined {
  const start = text.trimStart();
  if (start.startsWith(DEMO_NO_QUESTION)) return "invalid_request";
  const isRefusal = start.startsWith(DEMO_OUT_OF_SCOPE) || start.startsWith(DEMO_NOT_UNDERSTOOD);
  return isRefusal ? "unsupported_intent" : undefined;
}
