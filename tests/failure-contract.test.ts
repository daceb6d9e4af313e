// Each row of the failure contract names a test, and that test is there.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROW = /^\| .* \| `(?<file>[^`]+)`: (?<name>.+) \|$/;
const HEAD_LINES = 2;

const rows = readFileSync("docs/failure-contract.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(HEAD_LINES);

it("has a row for each fault", () => expect(rows.length).toBeGreaterThan(25));

it.each(rows)("shows a test that is there: %s", (row) => {
  const { file = "", name = "" } = ROW.exec(row)?.groups ?? {};
  expect(readFileSync(file, "utf8")).toContain(name);
});
