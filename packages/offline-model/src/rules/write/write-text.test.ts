import { expect, it } from "vitest";
import { writeText } from "./write-text.ts";

const NOTICE = "demo model: rules, not a language model";
const write = (task: string, context: unknown) =>
  writeText({ task, context: context === null ? null : JSON.stringify(context) });

it("turns rows into a table", () => {
  const text = write("Summarize the sales", { sales: { rows: [{ region: "North", unit_price: 1234.5 }] } });
  expect(text).toContain("| region | unit price |\n| --- | --- |\n| North | 1,234.50 |");
  expect(text).toContain(NOTICE);
});

it("compares subjects in one table, each with its source", () => {
  const hit = (path: string, snippet: string) => ({ hits: [{ path, title: path, snippet, score: 1 }] });
  const text = write("Compare the pricing", {
    "Vendor A pricing": hit("a.md", "Vendor A pricing: 10 euros | a month."),
    "Vendor B pricing": hit("b.md", "Vendor B pricing: 20 euros."),
    "Vendor C pricing": hit("b.md", "Vendor B pricing: 20 euros."),
  });
  expect(text).toContain("| Vendor A | Vendor A pricing: 10 euros \\| a month. | a.md |");
  expect(text).toContain("| Vendor C | nothing was found | — |");
});

it("keeps a text given as context, and reads the entries of plain lists", () => {
  expect(write("Summarize", "First line.\nSecond line.")).toContain("First line. Second line.");
  expect(write("Summarize", [{ path: "a.md", title: "A", snippet: "About summaries.", score: 1 }])).toContain(
    "(a.md)",
  );
  expect(write("Summarize", [{ n: 1 }, { n: 2 }])).toContain("| n |");
});

it.each([
  ["without any context", "Explain quantum tunnelling", null],
  ["for a creative task", "Write a poem from this", { x: "y" }],
])("explains what it cannot do %s", (_, task, context) => {
  const text = write(task, context);
  expect(text).toMatch(/^The built-in demo model only answers questions/);
  expect(text).toContain("OPENAI_API_KEY");
});
