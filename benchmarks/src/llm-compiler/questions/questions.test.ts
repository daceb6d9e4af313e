// Every question of the data sets: our lines for it must lead to the data set's own answer.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readHotpotQa } from "./hotpot-qa.ts";
import { readMovies } from "./movies.ts";
import { readParallelQa } from "./parallel-qa.ts";
import { expressionText, isRight, rounds } from "./question.ts";

const FOLDER = path.join(import.meta.dirname, "../../../data/llmcompiler");
const read = (name: string): string => readFileSync(path.join(FOLDER, name), "utf8");
const files = {
  dataset: read("parallelqa_dataset.json"),
  plans: read("parallelqa_plans.txt"),
  entities: read("parallelqa_entities.tsv"),
};
const questions = readParallelQa(files);
const hotpotFiles = { dataset: read("hotpotqa_comparison_120.json"), plans: read("hotpotqa_plans.txt") };
const comparisons = readHotpotQa(hotpotFiles);
const movies = readMovies(read("movie_recommendations_formatted.json"));

describe("ParallelQA", () => {
  it("has all its questions", () => expect(questions).toHaveLength(113));

  it.each(questions.map((question) => [question.id, question] as const))(
    "is answered as its label says: %s",
    (_, question) => {
      expect(
        isRight(question.answer, question.label),
        `${question.text}: ${question.answer}, labelled ${question.label}`,
      ).toBe(true);
    },
  );

  it("refers only to earlier steps", () => {
    const wrong = questions.filter(({ searches, calculations }) => {
      const known = new Set(searches.map((_, index) => `s${index + 1}`));
      return calculations.some(({ id, expression }) => {
        const isWrong = expression.some((part) => typeof part !== "string" && !known.has(part.step));
        known.add(id);
        return isWrong;
      });
    });
    expect(wrong).toEqual([]);
  });

  it("calculates in rounds that need only earlier rounds", () => {
    const [question] = questions.filter(({ id }) => id === "11");
    const found = rounds(question ?? { calculations: [] });
    expect(found.map((round) => round.map(({ id }) => id))).toEqual([["s3", "s4"], ["s5"]]);
    const texts = found.flat().map((calculation) => expressionText(calculation, (step) => `<${step}>`));
    expect(texts).toEqual(["<s1> * 1.15", "<s2> * 0.8", "<s3> - <s4>"]);
  });

  it("refuses a question without a line, a term that cannot be read, and an unknown thing", () => {
    expect(() => readParallelQa({ ...files, plans: "" })).toThrow("question 1 is not worked out");
    expect(() => readParallelQa({ ...files, plans: "1 | most | mariana**2" })).toThrow(
      "cannot read the term",
    );
    expect(() => readParallelQa({ ...files, plans: "1 | most | atlantis" })).toThrow(
      "nothing is known of atlantis",
    );
    expect(() => readParallelQa({ ...files, plans: "1 | guess | mariana sunda" })).toThrow("asks for guess");
  });
});

describe("the HotpotQA questions", () => {
  it("are 120, each once", () => {
    expect(new Set(comparisons.map(({ text }) => text)).size).toBe(120);
  });

  it("search for things that the question names, and have the labelled answer", () => {
    for (const { text, searches, answer, label } of comparisons) {
      expect(searches.length).toBeGreaterThanOrEqual(2);
      expect(searches.filter(({ query }) => !text.includes(query))).toEqual([]);
      expect(isRight(answer, label), `${text}: ${answer}, labelled ${label}`).toBe(true);
    }
  });

  it("are refused without a line, and with a line that names only one thing or no answer", () => {
    const [{ id } = { id: "" }] = comparisons;
    for (const plans of ["", `${id} | Ed Wood | yes`, `${id} | Scott Derrickson; Ed Wood |`]) {
      expect(() => readHotpotQa({ ...hotpotFiles, plans })).toThrow(`question ${id}: wanted a line`);
    }
  });
});

describe("the movie questions", () => {
  it("name four titles and four options each, including titles with commas", () => {
    expect(movies).toHaveLength(500);
    for (const { searches, answer } of movies) {
      expect(searches).toHaveLength(8);
      expect(searches.slice(4).map(({ query }) => query)).toContain(answer);
    }
    expect(movies[128]?.searches[3]?.query).toBe("Lock, Stock & Two Smoking Barrels");
  });
});

it.each([
  ["5931.95", "5931.80", true],
  ["7000", "5931.80", false],
  ["the Motherland Calls!", "Motherland Calls", true],
  ["K2", "Aconcagua", false],
  ["", "12", false],
])("accepts %j for %j: %s", (answer, label, right) => {
  expect(isRight(answer, label)).toBe(right);
});
