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
  succeeded("s2", [{ region: "North", sold: 42 }]),
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
    [
      "a URL in a sentence, with what stands behind it",
      "See https://evil.example/x, or ask.",
      "See, or ask.",
      ["https://evil.example/x"],
    ],
    [
      "one of several behind a marker",
      "It costs 10 [sources: prices.md, costs.pdf].",
      "It costs 10 [sources: prices.md].",
      ["costs.pdf"],
    ],
    ["one of several in round brackets", "It costs 10 (s1, costs.pdf).", "It costs 10 (s1).", ["costs.pdf"]],
    ["a document in a folder", "It costs 10 [docs/costs.pdf].", "It costs 10.", ["docs/costs.pdf"]],
    ["all of a line of sources", "It costs 10.\n\nSource: costs.pdf", "It costs 10.", ["costs.pdf"]],
  ])("are removed: %s", (_what, text, left, removed) => {
    expect(checked(text)).toEqual({ text: left, removed });
  });

  it.each([
    ["It costs 10 [s1] (https://shop.example/prices?plan=a#top)."],
    ["It costs 10 [docs/prices.md], see [prices](prices.md)."],
    ["It costs 10 (source: prices.md, s2)."],
    ["It costs 10 (see the list prices.md), or more [other/prices.md]."],
    ["Go back to [the top](#), or to https://shop.example/prices?plan=a."],
    ["Call f(x) [optional] (the cheapest, in 2026) and a[0] (source: the table of sales)."],
  ])("do not include known sources, or text that is not a citation: %s", (text) => {
    expect(checked(text)).toEqual({ text, removed: [] });
  });

  it("cannot be determined while an output is not completely known", () => {
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

  it("are always removed, whatever surrounds them", () => {
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
  const NONE: string[] = [];
  it.each([
    ["a figure with its source", "Plan A costs 10 dollars [s1]. It is cheap.", NONE],
    ["a figure", "Plan A costs 10 dollars. It is cheap.", ["Plan A costs 10 dollars."]],
    ["a figure before a sourced one", "It costs 7. It cost 10 [s1].", ["It costs 7."]],
    ["a figure behind a sourced one", "It cost 10. [s1] It costs 7.", ["It costs 7."]],
    ["a source behind the full stop", "It cost 10. [s1] It is cheap.", NONE],
    ["a sentence in brackets", "It cost 10 [s1]. (South paid 7.)", ["(South paid 7.)"]],
    ["items of a list", "- North sold 42 [s2]\n- South sold 7", ["- South sold 7"]],
    ["items with two sentences", "1. North sold 42 [s2]. It lost 7.\n2. Nothing fits.", ["It lost 7."]],
    ["a wrapped line", "Plan A costs 10 dollars\nper month [s1].", NONE],
    ["a wrapped item", "- North sold 42\n  units [s2]", NONE],
    ["a name with its source", "The winner is Ada Lovelace (source: prices.md).", NONE],
    ["a name", "The winner is Ada Lovelace.", ["The winner is Ada Lovelace."]],
    ["a name that begins it", "North is ahead.", ["North is ahead."]],
    ["an acronym that begins it", "NASA is ahead. OpenAI is not.", ["NASA is ahead.", "OpenAI is not."]],
    ["no name", "Prices are stable. Note: The rest is open. However, I do not know.", NONE],
    ["a URL", "It costs 10 (https://shop.example/prices).", NONE],
    ["a source that no step has", "It costs 10 [s9].", ["It costs 10 [s9]."]],
    ["a number in words", "It has sold two million.", ["It has sold two million."]],
    ["a decimal and an amount", "It rose by 3.5 % to $1,200.50 [s1].", NONE],
    [
      "abbreviations",
      "Sales of, e.g., North rose by approx. 5 units, i.e. little, acc. to Dr. Smith [s2].",
      NONE,
    ],
    ["initials", "The U.S. Army bought 5 tents of J. R. Smith Inc. in May [s1].", NONE],
    ["an abbreviation that ends it", "It is sold in the U.S. It costs 10 [s1].", NONE],
    ["a date", "It began on Mon. 3 Mar. 2024 at 9 a.m. and ended in Dec. 2025 [s1].", NONE],
    ["a date without a source", "It began on 3 Mar. 2024.", ["It began on 3 Mar. 2024."]],
    ["sentences in a quotation", 'The page says: "It costs 10. It is cheap. Ask Ada." [s1]', NONE],
    ["a sentence behind a quotation", '"It costs 10." [s1] South pays 7.', ["South pays 7."]],
    ["curly quotation marks", "They say “It costs 10! It is cheap.” in the shop [s1].", NONE],
    ["a quotation mark alone", 'It is 10" wide. It is cheap.', ['It is 10" wide. It is cheap.']],
    ["a heading", "# Sales 2026\n\nNothing else is known.", NONE],
    ["a heading with a measure", "## Revenue: $4 million\n\nNothing else.", ["## Revenue: $4 million"]],
    ["rows of a table", "| a | n |\n|---|---|\n| b | 2 |\n| c | 3 [s1] |", ["| b | 2 |"]],
    ["a table with its source above", "By region [s2]:\n\n| a | n |\n|---|---|\n| b | 2 |", NONE],
    [
      "a table with its source below",
      "| North | 2 |\n| South | 3 |\n\nSource of the table: the shop (prices.md).",
      NONE,
    ],
    ["fenced text", "```\nNorth: 42\n```", ["North: 42"]],
    ["code", "```js\nconst limit = 42;\n```", NONE],
    ["what introduces a list", "Sales of North in the 2 years:\n- 42 [s2]", NONE],
    ["what introduces nothing", "These are the 2 results:", NONE],
    ["a figure before a colon", "The total is $4,200:", ["The total is $4,200:"]],
    ["a line of sources", "Nothing fits.\n\nSources: s1, prices.md", NONE],
    ["bold text", "**Total: 42**", ["**Total: 42**"]],
    ["a table without a rule", "| North | 2 |", ["| North | 2 |"]],
    ["a table with its source in the heading below", "| b | 2 |\n\n# Shop [s2]", NONE],
    ["rows of a table without an outer border", "a | n\n---|---\nb | 2\nc | 3 [s1]", ["b | 2"]],
    ["a bar within a sentence", "It is a | b here.", NONE],
    ["fenced text without an end", "~~~text\nNorth: 42\nnone", ["North: 42"]],
    ["fenced CSV", "```CSV\nnorth,42\n```\n\nIt is cheap.", ["north,42"]],
    ["a row of names alone", "| item |\n|---|\n| Widget |\n| none |", ["| Widget |"]],
    ["a heading with a measure and its source", "## Revenue: $4 million [s1]\n\nNothing else.", NONE],
    ["a line behind a list item that ended", "- It is cheap.\nand costs 10", ["and costs 10"]],
    ["other scripts", "売上は42です。 安いです。", ["売上は42です。"]],
  ])("needs a source: %s", (_what, text, wanted) => {
    expect(unsourcedSentences(text, known)).toEqual(wanted);
  });

  it("is found in time linear in the text, however it is punctuated", () => {
    for (const part of ['"a. ', "|-", "- ", "(", "[", "A. ", "1. ", "> ", "```\n", "a", "\n", ". ", "**"]) {
      expect(Array.isArray(unsourcedSentences(part.repeat(60_000 / part.length), known))).toBe(true);
    }
  });
});
