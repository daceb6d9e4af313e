// A goal that is answered, with one change: the query must change too, or the goal must be refused. The same query
// would mean that a word was ignored. Seeds are fixed; GOAL_RUNS sets the number of changes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTENT_WORDS, SECOND_HALVES } from "../testing/content-words.ts";
import { fleet, hires } from "../testing/plain-tables.ts";
import { askPlan } from "../testing/run-goal.ts";
import { loadSales, type SalesData } from "../testing/sales-data.ts";

const sales = loadSales();

type Goal = { readonly goal: string; readonly data: SalesData };

const of = (data: SalesData, goals: string): readonly Goal[] =>
  goals
    .trim()
    .split("\n")
    .map((goal) => ({ goal: goal.trim(), data }));

const GOALS: readonly Goal[] = [
  ...of(
    sales,
    `Which product was sold most in the second half of the year?
     Total units and average revenue by category
     What share of units sold were tents?
     Revenue on or after 1 November 2025
     Average number of orders per day in March
     How many orders had 3 or more units and no discount?
     Total revenue of the top three products
     Difference in number of orders between West and East
     Which region sells the most tents?
     Bottom 3 products by units
     How many distinct products were ordered by Education customers in February?
     Revenue of tents in West in Q3 excluding Business customers
     Which months had revenue above 40000?
     Which products declined from Q1 to Q2?
     List orders over 2500
     What is the median order value?`,
  ),
  ...of(
    fleet,
    `How many bikes have never been inspected?
     Which stations have no bikes?
     How many inspections were made on bikes of the kind cargo?
     How many bikes are assigned to each station?
     Who is the manager of the Airport station?
     Which stations opened after 2015?
     What is the frame number of the most expensive bike?
     How many inspections have no score?
     In how many inspections was the lamp not working?`,
  ),
  ...of(
    hires,
    `What is the total price of all hires?
     How many hires were not paid by card?
     Which payment was used least often?
     How many hires have not been returned yet?
     When was hire H24-102 returned?
     List the hire numbers of the hires paid by voucher.
     How many different riders paid by card?
     What is the average number of hours per hire?
     How many hires started in May 2025?
     Which different payments are there?`,
  ),
];

/** The queries in a goal's plan; null when it has none. */
async function queriesOf({ goal, data }: Goal): Promise<string | null> {
  const { steps } = await askPlan(goal, { data });
  const queries = steps.filter(({ tool }) => tool === "sql.query").map(({ args }) => args);
  return queries.length === 0 ? null : JSON.stringify([queries, steps.length]);
}

const plain = new Map(await Promise.all(GOALS.map(async (goal) => [goal, await queriesOf(goal)] as const)));

/** Null if the change affects the query or is refused, else the goal in which it was ignored. */
async function passedOver(before: Goal, goal: string): Promise<string | null> {
  const after = await queriesOf({ ...before, goal });
  return after !== null && after === plain.get(before) ? goal : null;
}

const runs = { seed: 20_251_124, numRuns: Number(process.env["GOAL_RUNS"] ?? 200) };

function inserted(goal: string, word: string, at: number): string {
  const words = goal.split(" ");
  words.splice(at % (words.length + 1), 0, word);
  return words.join(" ");
}

/** Meaningful words that change nothing in one goal, each with the reason. */
const SAME_ANYWAY: readonly (readonly [RegExp, string])[] = [
  [/\bmost (?:most|least|expensive)|least least/, "the rank said twice"],
];

describe("a goal about tables with one change", () => {
  it("is answered unchanged", () => {
    for (const [{ goal }, queries] of plain) expect(queries, goal).not.toBeNull();
  });

  it("is refused or changes the query when a word is added", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...GOALS),
        fc.constantFrom(...CONTENT_WORDS),
        fc.nat(),
        async (before, word, at) => {
          const goal = inserted(before.goal, word, at);
          const isSame = SAME_ANYWAY.some(([pattern]) => pattern.test(goal));
          expect(isSame ? null : await passedOver(before, goal)).toBeNull();
        },
      ),
      runs,
    );
  });

  it("is refused or changes the query when a word is replaced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...GOALS),
        fc.constantFrom(...CONTENT_WORDS),
        fc.nat(),
        async (before, word, at) => {
          const words = before.goal.split(" ");
          expect(await passedOver(before, words.with(at % words.length, word).join(" "))).toBeNull();
        },
      ),
      runs,
    );
  });

  it("is refused when a second half or a condition is added", async () => {
    for (const [index, before] of GOALS.entries())
      for (const [other, half] of SECOND_HALVES.entries()) {
        if (process.env["GOAL_RUNS"] === undefined && (index + other) % 10 !== 0) continue;
        const goal = before.goal.replace(/([?.]?)$/, ` ${half}$1`);
        expect(await queriesOf({ ...before, goal }), goal).toBeNull();
      }
  });

  it("is refused with an adjective formed from a verb, which could select rows", async () => {
    const verbs =
      "registered recorded stored kept used assigned handled listed received given held existing working".split(
        " ",
      );
    for (const verb of verbs) {
      for (const goal of [`How many ${verb} hires are there?`, `Total price of the ${verb} hires`])
        expect(await queriesOf({ goal, data: hires }), goal).toBeNull();
    }
  });
});
