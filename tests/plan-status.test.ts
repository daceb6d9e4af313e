// The table of docs/plan-status.md is the one that decides, with the exit codes that the command line uses.
import { exitCodeOf } from "@planwright/cli";
import { AnswerStatus, OUTCOME_TABLE } from "@planwright/plan";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = readFileSync("docs/plan-status.md", "utf8");

/** An answer for which the row decides; the last ones name theirs. */
function answerOf(name: string): AnswerStatus {
  const [named = "partial"] = /status is `(\w+)`/.exec(name)?.slice(1) ?? [];
  return AnswerStatus.parse(named);
}

it("states in its table what decides how a plan ends, and the exit code that follows", () => {
  const rows = OUTCOME_TABLE.map(({ name, outcome }) => {
    const answer = { text: "", status: answerOf(name), sources: [], artifacts: [] };
    return `| ${name} | \`${outcome}\` | ${exitCodeOf({ status: outcome, answer })} |`;
  });
  const [, table = ""] = page.split("exit code of `planwright watch` |\n|---|---|---|\n");
  expect(table.slice(0, table.indexOf("\n\n")).split("\n")).toEqual(rows);
});

it("has a row for the status of every answer", () => {
  for (const status of AnswerStatus.options) expect(page).toContain(`\`${status}\``);
});
