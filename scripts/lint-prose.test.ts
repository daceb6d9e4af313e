import { expect, it } from "vitest";
import { proseAlerts } from "./prose/lint-prose.ts";

it("finds a banned phrase, and reports where it is and what to write instead", async () => {
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
