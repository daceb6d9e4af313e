// Vitest's output is not a terminal, so these texts have no styles.
import { expect, it } from "vitest";
import { markdownText } from "./markdown.ts";

it("renders headings, emphasis, lists, quotes and code without their marks", () => {
  const text = [
    "# Result",
    "The **North** grew _fastest_, see [the report](https://example.com/r) and `sales.csv`.",
    "",
    "1. first",
    "2. second",
    "   - deeper",
    "",
    "> quoted",
    "",
    "```sql",
    "SELECT 1;",
    "```",
  ].join("\n");
  expect(markdownText(text, 80).split("\n")).toEqual([
    "Result",
    "",
    "The North grew fastest, see the report (https://example.com/r) and sales.csv.",
    "",
    "1. first",
    "2. second",
    "   • deeper",
    "",
    "│ quoted",
    "",
    "    SELECT 1;",
  ]);
});

it("aligns the columns of a table, and wraps the widest ones at the terminal's width", () => {
  const table = "| region | sold |\n|---|--:|\n| 北 | 10 |\n| a long name of a region | 9 |";
  expect(markdownText(table, 80).split("\n")).toEqual([
    "region                   sold",
    "───────────────────────  ────",
    "北                         10",
    "a long name of a region     9",
  ]);
  expect(markdownText(table, 20).split("\n")).toEqual([
    "region          sold",
    "──────────────  ────",
    "北                10",
    "a long name of     9",
    "a region",
  ]);
});

it("keeps the line ends of plain text, and wraps long lines between words", () => {
  expect(markdownText("a: 1\nb: 2", 80)).toBe("a: 1\nb: 2");
  expect(markdownText("one two three four five six", 20)).toBe("one two three four\nfive six");
});

it("strips control characters, even those written as entities or hidden in links, tables and code", () => {
  const hostile = "\u001b[2J\u202e";
  const text = [
    `# ${hostile}a`,
    `b &#27;[2J &#x9b;2J &#x202e; [c](https://x/${hostile} "t") ${hostile}`,
    `\`\`\`\n${hostile}\n\`\`\``,
    `| ${hostile} |\n|---|\n| &#x202e; |`,
    `![${hostile}](y)`,
  ].join("\n\n");
  expect(markdownText(text, 40).replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it("renders deeply nested and very long text in bounded time", () => {
  expect(markdownText(`${"> ".repeat(5_000)}deep`, 80).length).toBeLessThan(100_000);
  const long = "word ".repeat(40_000);
  expect(markdownText(long, 80)).toBe(long.trimEnd());
});
