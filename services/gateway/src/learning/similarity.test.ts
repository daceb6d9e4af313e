import { expect, it } from "vitest";
import { similarities, wordsOf } from "./similarity.ts";

const compare = (goal: string, others: readonly string[]) => similarities(wordsOf(goal), others.map(wordsOf));

it("splits text into words as the index does", () => {
  expect([...wordsOf("Größe: 5 Äpfel, groesse-5 АБВ 日本")]).toEqual([
    "große",
    "5",
    "apfel",
    "groesse",
    "абв",
    "日本",
  ]);
  expect(wordsOf(" … ").size).toBe(0);
});

it("is 1 for the same words in any order, and 0 for none in common", () => {
  expect(compare("compare two prices", ["prices: compare TWO", "send mail"])).toEqual([1, 0]);
  expect(compare("…", ["…", "mail"])).toEqual([0, 0]);
  expect(compare("anything", [])).toEqual([]);
});

it("is the share of words in common when each occurs as often as the others", () => {
  // With a single other goal, each word that it contains weighs ln 2, every other word ln 3.
  const [found = 0] = compare("a b c", ["a b d"]);
  expect(found).toBeCloseTo((2 * Math.log(2)) / (3 * Math.log(2) + Math.log(3)));
});

it("weighs what a goal is about more than the phrasing it shares with the rest", () => {
  const frame = (title: string) => `which of these movies is most like ${title}`;
  const others = ["alien", "brazil", "casablanca", "dune", "eraserhead", "fargo", "gandhi"].map(frame);
  const [first = 0, ...rest] = compare("find a movie like alien", [frame("alien"), ...others.slice(1)]);
  expect(Math.min(...rest.map((other) => first / other))).toBeGreaterThan(1.5);
  for (const other of compare(frame("heat"), others)) expect(other).toBeLessThan(0.7);
});
