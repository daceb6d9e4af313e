/** What a request to the simulated model is about: which question, which way of asking, which turn. */
import type { Question } from "../questions/question.ts";
import { rounds } from "../questions/question.ts";
import { BATCH_MARK, OBSERVATION, QUESTION, REACT_MARK, RESULTS } from "../modes/transcript.ts";
import { batchReply, judgementReply, planLinesReply, planReply, reactReply } from "./replies.ts";

export type ModelRequest = {
  readonly schemaName: string | null;
  readonly system: string;
  readonly user: string;
};

export type Recognised = { readonly question: Question; readonly reply: string };

/** What the model says when it was not shown what the answer rests on: wrong, and seen to be. */
const CANNOT_SAY = "unknown: the results are not there";
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/**
 * The reply to a request; it answers a question only where the request shows every result that the answer
 * rests on, so that nothing is skipped unseen.
 *
 * @throws {RangeError} When the request is about no known question.
 */
export function recognise(request: ModelRequest, byText: ReadonlyMap<string, Question>): Recognised {
  const { schemaName, system, user } = request;
  if (system.startsWith(REACT_MARK)) {
    const question = questionIn(user, byText);
    const turn = count(user, OBSERVATION);
    const shown = showsAll(user, question, { searches: turn, calculations: turn - question.searches.length });
    return { question, reply: shown ? reactReply(question, turn) : `Final Answer: ${CANNOT_SAY}` };
  }
  if (system.startsWith(BATCH_MARK)) {
    const question = questionIn(user, byText);
    const round = count(user, RESULTS);
    const done = rounds(question)
      .slice(0, Math.max(0, round - 1))
      .flat().length;
    const searches = round === 0 ? 0 : question.searches.length;
    const shown = showsAll(user, question, { searches, calculations: done });
    return { question, reply: shown ? batchReply(question, round) : `Final Answer: ${CANNOT_SAY}` };
  }
  const question = questionOfGoal(user, byText);
  if (schemaName === "plan") return { question, reply: planReply(question) };
  if (schemaName === null) return { question, reply: planLinesReply(question) };
  const all = { searches: question.searches.length, calculations: question.calculations.length };
  const shown = showsAll(user, question, all);
  return { question, reply: judgementReply(shown ? question : { ...question, answer: CANNOT_SAY }) };
}

function questionIn(user: string, byText: ReadonlyMap<string, Question>): Question {
  const start = user.indexOf(QUESTION) + QUESTION.length;
  const ends = [user.indexOf("\n\n", start), user.length].filter((index) => index >= 0);
  return known(user.slice(start, Math.min(...ends)), byText);
}

function questionOfGoal(user: string, byText: ReadonlyMap<string, Question>): Question {
  return known(/<goal>\n([\s\S]*?)\n<\/goal>/.exec(user)?.[1] ?? "", byText);
}

function known(text: string, byText: ReadonlyMap<string, Question>): Question {
  const question = byText.get(text.trim());
  if (question === undefined) throw new RangeError(`no question reads ${JSON.stringify(text.slice(0, 200))}`);
  return question;
}

/** Whether the first so many searches and calculations are in the text with what they gave. */
function showsAll(
  text: string,
  question: Question,
  { searches, calculations }: { searches: number; calculations: number },
): boolean {
  const numbers = Array.from(text.matchAll(NUMBER), ([number]) => Number(number));
  const has = (value: number): boolean =>
    numbers.some((number) => Math.abs(number - value) <= 1e-9 * Math.abs(value));
  return (
    question.searches
      .slice(0, searches)
      .every((search) => text.includes(JSON.stringify(search.text).slice(1, -1))) &&
    question.calculations.slice(0, Math.max(0, calculations)).every(({ value }) => has(value))
  );
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
