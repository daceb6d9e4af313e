// The origin of each argument of a call.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalRequested,
  loopFact,
  ONCE,
  READING,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { StepId } from "../values/ids.ts";
import { originsOfLoop } from "./argument-origins.ts";

const grants = {
  ...READING,
  "email.send": ONCE,
};
const gated = { approval: { risk: "high", expiresAfterMs: 60_000 }, grants };
const rows = step("rows", [], { tool: "sql.query", args: { source: "s", sql: "select 1" } });
const found = step("found", [], { tool: "web.search", args: { query: "q" } });

function asked(steps: object[], facts: Parameters<typeof andAfter>[1][], goal: object = {}) {
  const plan = andAfter(after(submitted(steps, { ...gated, ...goal })), ...facts);
  const event = approvalRequested(plan, "send");
  if (event.type !== "approval.requested") throw new Error("no question");
  return event.data.argumentOrigins;
}

describe("an approval shows the origin of each argument", () => {
  const args = {
    to: "ann@example.org",
    subject: "{{found.output.results[0].title}}",
    text: "{{rows.output}}",
  };
  const send = step("send", [], { tool: "email.send", args });
  const facts = [succeeded("rows", "7"), succeeded("found", { results: [{ title: "t" }] })];

  it("separately for each, by its references", () => {
    expect(asked([rows, found, send], facts)).toEqual([
      { argument: "to", author: "user" },
      { argument: "subject", author: "user", tools: ["web.search"], content: "web" },
      { argument: "text", author: "user", tools: ["sql.query"], content: "private" },
    ]);
  });

  it("for a sub-plan: from another plan, with the origins of that plan's arguments", () => {
    const parent = { planId: "p".repeat(22), stepId: "s", item: 0, attempt: 1, depth: 1 };
    const derivedFrom = { tools: ["http.fetch"], isOpen: false };
    expect(asked([rows, found, send], facts, { parent, derivedFrom })?.[0]).toEqual({
      argument: "to",
      author: "plan",
      tools: ["http.fetch"],
      content: "web",
    });
  });
});

it("in a loop: written by its model, after everything that its turns returned", () => {
  const loop = step("l", [], {
    tool: "agent.react",
    args: { goal: "g", tools: ["email.send", "sql.query"] },
  });
  const run = { stepId: StepId.parse("l"), item: 0, attempt: 1 };
  const turn = { turn: 1, thought: "t", tool: "sql.query", args: {}, output: { value: [7] } };
  const plan = andAfter(after(submitted([loop], gated), started("l")), loopFact("turn.taken", run, turn));
  const call = { args: { to: "x", text: "7" }, turn: 2 };
  const from = { author: "model", tools: ["sql.query"], content: "private" };
  expect(originsOfLoop(plan, stepOf(plan, "l"), call)).toEqual([
    { argument: "to", ...from },
    { argument: "text", ...from },
  ]);
});
