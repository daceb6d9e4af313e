/** The comparison questions of HotpotQA: look up two things, then find what they have in common or which has more. */
import { Items, type Question, type Search, solutionLines } from "./question.ts";

export type HotpotQaFiles = {
  /** `hotpotqa_comparison_120.json` */
  readonly dataset: string;
  /** `hotpotqa_plans.txt` */
  readonly plans: string;
};

/** @throws {RangeError} When a question has no line, or one that does not name two things and an answer. */
export function readHotpotQa({ dataset, plans }: HotpotQaFiles): Question[] {
  const solutions = new Map(
    solutionLines(plans).map((line) => {
      const [id = "", things = "", answer = ""] = line.split("|").map((part) => part.trim());
      return [id, { things: things.split(";").map((thing) => thing.trim()), answer }];
    }),
  );
  return Items.parse(JSON.parse(dataset)).map(({ id, question, answer: label }) => {
    const { things, answer } = solutions.get(id) ?? { things: [], answer: "" };
    if (things.length < 2 || answer === "") {
      throw new RangeError(`question ${id}: wanted a line with two things or more, and the answer`);
    }
    return { id, text: question.trim(), label, searches: things.map(searchOf), calculations: [], answer };
  });
}

/** About as long as the start of an encyclopedia article. */
function searchOf(thing: string): Search {
  return {
    query: thing,
    text:
      `${thing} has an article in the encyclopedia. Its first paragraph says what ${thing} is, where it comes from, when it ` +
      "began and what it is known for, with the names, dates and numbers that readers look up most often. The sections after " +
      "it describe its history in order of time, compare it with others of its kind, and list the works and places named after it.",
  };
}
