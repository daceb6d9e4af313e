import { DEMO_NO_QUESTION, demoRefusalStatus } from "@planwright/shared/model";
import { OUT_OF_SCOPE } from "../notice.ts";
import { contentWords } from "../text/words.ts";

const ABILITIES =
  "It answers questions about the tables and documents it is given, calculates, reads web pages by their address, draws charts and puts results together.";

/** An explanation in place of a text that rules cannot write. */
export function unableText(task: string): string {
  return contentWords(task).length === 0 ? `${DEMO_NO_QUESTION} ${ABILITIES}` : OUT_OF_SCOPE;
}

/** Whether a text is such an explanation: the judge does not count it as a result. */
export function isUnableText(text: string): boolean {
  return demoRefusalStatus(text) !== undefined;
}

/** Whether a text states that the goal asks for nothing. */
export function isQuestionlessText(text: string): boolean {
  return demoRefusalStatus(text) === "invalid_request";
}
