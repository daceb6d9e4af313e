import { NOTICE, REMEDY } from "../notice.ts";
import { contentWords } from "../text/words.ts";
import { shorten } from "../text/format-value.ts";

const OPENING = `This is an ${NOTICE}`;
const QUESTIONLESS = `${OPENING}, and it finds no question here.`;
const ABILITIES =
  "It can answer questions about the tables and documents it is given, calculate, read web pages by their address, draw charts and put results together.";

/** An honest sentence instead of a text that rules cannot write. */
export function unableText(task: string): string {
  if (contentWords(task).length === 0) return `${QUESTIONLESS} ${ABILITIES}`;
  const subject = shorten(task.replace(/\s+/g, " ").trim(), 160);
  return `${OPENING}, and rules cannot write freely about “${subject}”. ${ABILITIES} ${REMEDY}`;
}

/** Whether a text is such a sentence: the judge does not count it as a result. */
export function isUnableText(text: string): boolean {
  return text.trimStart().startsWith(OPENING);
}

/** Whether a text says that the goal asks for nothing. */
export function isQuestionlessText(text: string): boolean {
  return text.trimStart().startsWith(QUESTIONLESS);
}
