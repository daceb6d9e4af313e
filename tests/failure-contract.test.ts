// Each row of the failure contract, and of what can happen at a gate, names a test, and that test is there.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROW = /^\| .* \| `(?<file>[^`]+)`: (?<name>.+) \|$/;
const HEAD_LINES = 2;

const rows = tableOf(readFileSync("docs/failure-contract.md", "utf8"));
const [, gates = ""] = readFileSync("docs/effects-and-approvals.md", "utf8").split(
  "### Failures and changes while an approval is pending",
);
const gateRows = tableOf(gates.split("\n## ")[0] ?? "");

it("has a row for each fault", () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(gateRows.length).toBeGreaterThan(5);
});

it.each([...rows, ...gateRows])("shows a test that exists: %s", (row) => {
  const { file = "", name = "" } = ROW.exec(row)?.groups ?? {};
  expect(readFileSync(file, "utf8")).toContain(name);
});

function tableOf(page: string): string[] {
  return page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(HEAD_LINES);
}
