import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, fact, step, submittedPlan, succeeded } from "../../test/facts.ts";
import { removeInvented } from "./citations.ts";
import { knownSources } from "./known-sources.ts";
import { unsourcedSentences } from "./unsourced-sentences.ts";

const output = {
  hits: [{ path: "docs/prices.md", title: "Prices", snippet: "Plan A costs 10 dollars." }],
  url: "https://shop.example/prices?plan=a",
};
const plan = after(
  submittedPlan({ steps: [step("s1"), step("s2")] }),
  succeeded("s1", output),
  succeeded("s2", "North: 42"),
);
const known = knownSources(plan, new Map());
const checked = (text: string) => removeInvented(text, known);

describe("sources that no step of the plan knows", () => {
  it.each([
    [
      "a URL behind a marker",
      "It costs 10 (source: https://evil.example/x).",
      "It costs 10.",
      ["https://evil.example/x"],
    ],
    ["a URL", "It costs 10 (https://evil.example/x).", "It costs 10.", ["https://evil.example/x"]],
    ["a link's target", "See [the shop](https://evil.example).", "See the shop.", ["https://evil.example"]],
    ["a step", "It costs 10 [s1, s9].", "It costs 10 [s1].", ["s9"]],
    ["a step in words", "It costs 10 (step s9).", "It costs 10.", ["step s9"]],
    ["a document", "It costs 10 [costs.pdf].", "It costs 10.", ["costs.pdf"]],
    ["a name behind a marker", "It costs 10 (source: World Bank 2023).", "It costs 10.", ["World Bank 2023"]],
    [
      "a line of sources",
      "It costs 10.\n\nSources: s1, Costs Weekly",
      "It costs 10.\n\nSources: s1",
      ["Costs Weekly"],
    ],
    ["all of a line of sources", "It costs 10.\n\nSource: costs.pdf", "It costs 10.", ["costs.pdf"]],
  ])("are removed: %s", (_what, text, left, removed) => {
    expect(checked(text)).toEqual({ text: left, removed });
  });

  it.each([
    ["It costs 10 [s1] (https://shop.example/prices?plan=a#top)."],
    ["It costs 10 [docs/prices.md], see [prices](prices.md)."],
    ["It costs 10 (source: prices.md, s2)."],
    ["Call f(x) [optional] (the cheapest, in 2026) and a[0] (source: the table of sales)."],
  ])("do not include what is there, or is no citation: %s", (text) => {
    expect(checked(text)).toEqual({ text, removed: [] });
  });

  it("cannot be told while the whole of an output is not known", () => {
    const artifact = { name: "outputs/s1.json", contentType: "application/json", bytes: 70_000 };
    const large = fact("step.succeeded", {
      ...succeeded("s1").data,
      output: { artifact, preview: "the start" },
      artifacts: [artifact],
    });
    const of = after(submittedPlan({ steps: [step("s1")] }), large);
    const text = "It costs 10 (https://evil.example/x).";
    expect(removeInvented(text, knownSources(of, new Map())).removed).toEqual([]);
    const loaded = new Map([["outputs/s1.json", { n: 10 }]]);
    expect(removeInvented(text, knownSources(of, loaded)).removed).toEqual(["https://evil.example/x"]);
  });

  it("never remain, whatever stands around them", () => {
    const part = fc.constantFrom(
      "It costs 10",
      "(",
      ")",
      "[",
      "]",
      ", ",
      " ",
      ".",
      "\n",
      "s9",
      "s1",
      "https://evil.example/x",
      "Sources: ",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const { text, removed } = checked(parts.join(""));
        expect(text).not.toContain("https://evil.example");
        expect(removed.length > 0 || text === parts.join("")).toBe(true);
      }),
    );
  });
});

describe("a sentence that states a figure or a name", () => {
  it.each([
    ["Plan A costs 10 dollars [s1]. It is cheap.", []],
    ["Plan A costs 10 dollars. It is cheap.", ["Plan A costs 10 dollars."]],
    ["- North sold 42 [s2]\n- South sold 7", ["- South sold 7"]],
    ["The winner is Ada Lovelace (source: prices.md).", []],
    ["The winner is Ada Lovelace.", ["The winner is Ada Lovelace."]],
    ["It costs 10 (https://shop.example/prices).", []],
    ["It costs 10 [s9].", ["It costs 10 [s9]."]],
    ["# Sales 2026\n\nNothing else is known.", []],
    ["1. Nothing fits.\n\n| a | 1 |\n| b | 2 |", []],
    ["These are the 2 results:", []],
  ])("needs a source: %j", (text, wanted) => {
    expect(unsourcedSentences(text, known)).toEqual(wanted);
  });
});
