import { expect, it } from "vitest";
import { findSteps, matchBeside } from "./use-step-search.ts";

const step = (id: string, more: object = {}) => ({
  id: id as never,
  description: "",
  tool: "flow.echo",
  status: "waiting" as const,
  ...more,
});
const STEPS = [
  step("read", { description: "Read the Shops", status: "succeeded", workerId: "executor-7" }),
  step("ask", { status: "awaiting-approval", tool: "human.ask" }),
  step("each", { items: [{ workerId: "executor-9" }, {}] }),
];

it.each([
  ["ask", ["ask"]],
  ["SHOPS read", ["read"]],
  ["human.", ["ask"]],
  ["awaiting-approval", ["ask"]],
  ["Awaiting Approval", ["ask"]],
  ["executor", ["read", "each"]],
  ["executor-9 flow", ["each"]],
  ["read human.ask", []],
  ["undefined", []],
  ["(", []],
])("%j finds %j", (search, ids) => {
  expect(findSteps(search, STEPS)?.map(({ id }) => id)).toEqual(ids);
});

it("searches for nothing when the text is blank, and ignores the text beyond the length limit", () => {
  expect([findSteps("", STEPS), findSteps(" \t", STEPS)]).toEqual([undefined, undefined]);
  expect(findSteps(`${" ".repeat(200)}nothing has this`, STEPS)).toBeUndefined();
});

it("steps through the matches in a circle, and begins at the first or last without a current match", () => {
  const walk = (from: string | undefined, by: 1 | -1) => matchBeside(STEPS, from, by)?.id;
  expect([walk(undefined, 1), walk("read", 1), walk("each", 1)]).toEqual(["read", "ask", "read"]);
  expect([walk(undefined, -1), walk("each", -1), walk("read", -1)]).toEqual(["each", "ask", "each"]);
  expect([walk("gone", 1), matchBeside([], "read", 1)]).toEqual(["read", undefined]);
});
