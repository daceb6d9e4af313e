// Timers remain scheduled after the work that they were set for is over. If they fire then, they change nothing.
import { expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  deadlineFired,
  faltered,
  planEnded,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { evolve } from "./evolve.ts";
import type { KnownPlan } from "./plan-state.ts";

const write = (more: object = {}) => step("a", [], { tool: "files.write", ...more });
const other = step("z");

function approved(): KnownPlan {
  const goal = { approval: { risk: "high", expiresAfterMs: 60_000 } };
  const asked = after(submitted([step("a", [], { tool: "mail.send" }), other], goal));
  return andAfter(asked, approvalRequested(asked, "a"), approvalDecided("risk-a-0", "approve"));
}

it.each([
  ["an approval that was decided", approved(), timerFired("approval-risk-a-0")],
  [
    "a retry that has begun",
    after(submitted([write(), other]), faltered("a"), timerFired("retry-a-0-2")),
    timerFired("retry-a-0-2"),
  ],
  [
    "a retry of a step that was cancelled",
    after(submitted([write(), other]), faltered("a"), cancelRequested()),
    timerFired("retry-a-0-2"),
  ],
  [
    "a start that has come",
    after(submitted([other], { startAt: "2027-01-01T00:00:00Z" }), timerFired("start")),
    timerFired("start"),
  ],
  [
    "the deadline of a step that has succeeded, with nothing else running",
    after(
      submitted([write(), step("b", ["a"], { tool: "mail.send" })], { approval: { risk: "high" } }),
      started("a"),
      succeeded("a"),
    ),
    deadlineFired(),
  ],
  [
    "anything of a plan that has ended",
    after(submitted([write()]), started("a"), cancelRequested(), planEnded("cancelled")),
    deadlineFired(),
  ],
])("changes nothing about %s when a late timer fires", (_name, plan, timer) => {
  expect(evolve(plan, timer)).toBe(plan);
});

it("does not schedule a deadline again that has nothing left to watch when another dispatcher takes over the plan", () => {
  const plan = after(submitted([write()]), started("a"), succeeded("a"));
  expect(decide(plan).filter(({ kind }) => kind === "schedule")).toEqual([]);
});
