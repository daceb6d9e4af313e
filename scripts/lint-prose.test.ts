import { expect, it } from "vitest";
import { codeAlerts } from "./prose/code-prose.ts";
import { proseAlerts } from "./prose/lint-prose.ts";

it("finds a banned phrase, and reports its position and the replacement", async () => {
  const alerts = await proseAlerts("page.md", "# Title\n\nA worker retries\nand goes on at once.\n");
  expect(alerts).toEqual([
    { file: "page.md", line: 4, column: 5, message: expect.stringContaining("resumes") },
    { file: "page.md", line: 4, column: 13, message: expect.stringContaining("immediately") },
  ]);
});

it("leaves code alone", async () => {
  const text =
    "Set `nobody: true`:\n\n```\nwhoever goes on at once\n```\n\nThe words *in* [a link](whoever.md) are checked.\n";
  expect(await proseAlerts("page.md", text)).toEqual([]);
});

it("finds phrases in headings, tables and links", async () => {
  const text = "# Whoever\n\n| a | b |\n|---|---|\n| nobody | [somebody](x.md) |\n";
  expect((await proseAlerts("page.md", text)).map(({ line }) => line)).toEqual([1, 5, 5]);
});

it("finds phrases in comments, test names and texts of programs, and leaves code alone", () => {
  const places = (file: string, text: string) =>
    codeAlerts(file, text).map(({ line, column }) => [line, column]);
  expect(
    places("services/a/src/a.ts", "// Nobody waits.\nconst nobody = 1;\n/** Runs `at once`. */\n"),
  ).toEqual([[1, 4]]);
  expect(places("tests/a.test.ts", 'it("goes on", () => {});\nconst goal = "who goes on?";\n')).toEqual([
    [1, 5],
  ]);
  expect(places("tests/a.test.ts", 'it.each([\n  ["a"],\n])("begins anew with %s", () => {});\n')).toEqual([
    [3, 12],
  ]);
  expect(
    places("services/a/src/a.ts", 'throw new Error("somebody else wrote");\nconst word = "anew";\n'),
  ).toEqual([[1, 18]]);
});
