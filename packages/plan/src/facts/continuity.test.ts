// The page of a plan that failed; its facts are tested with the fact ledger.
import { expect, it } from "vitest";
import {
  after,
  approvalRequested,
  failed,
  known,
  skipped,
  step,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { evolve } from "../machine/evolve.ts";
import { continuityOf } from "./continuity.ts";

it("states why steps have no result, and the plan's constraints", () => {
  const goal = submitted([step("a", [], { description: "fetch" }), step("b", ["a"]), step("c")], {
    goal: `find\nall ${"of it ".repeat(100)}`,
    constraints: ["no *guesses*"],
  });
  const page = continuityOf(after(goal, failed("a"), skipped(["b"], "a")));
  expect(page).toContain("- [ ] `a` fetch (failed: boom)");
  expect(page).toContain("- [ ] `b` flow.echo (skipped: needs a, which did not succeed)");
  expect(page).toContain("- [ ] `c` flow.echo (running)");
  expect(page).toContain("## Constraints\n\n- no \\*guesses\\*");
  expect(page).toMatch(/^find all of it .{370,400}…$/m);
  expect(page).not.toContain("## Facts");
});

it("names pending approvals", () => {
  const mail = step("mail", [], { tool: "mail.send" });
  const plan = after(submitted([mail], { approval: { risk: "high" } }));
  const asked = known(evolve(plan, approvalRequested(plan, "mail")));
  expect(continuityOf(asked)).toMatch(/## Waiting for a person\n\n- `\S+`: .+ \(until 2026-/);
});

it("shows a limited number of steps of a large plan, and counts the others", () => {
  const ids = Array.from({ length: 502 }, (_, index) => `s${index}`);
  const page = continuityOf(after(submitted(ids.map((id) => step(id))), succeeded("s0")));
  expect(page).toContain("- [x] `s0`");
  expect(page).toContain("- [ ] `s499`");
  expect(page).not.toContain("`s500`");
  expect(page).toContain("- and 2 more");
});

it("states how often the plan was revised", () => {
  const plan = after(submitted([step("a")]));
  expect(continuityOf(plan)).toContain("Status: **running**.");
  expect(continuityOf({ ...plan, revision: 1 })).toContain("Status: **running**, revised 1 time.");
  expect(continuityOf({ ...plan, revision: 2 })).toContain("Status: **running**, revised 2 times.");
});
