// Fallbacks and verifications in drafts that are still being written, checked one step at a time.
import { describe, expect, it } from "vitest";
import { step } from "../../test/facts.ts";
import type { StepId } from "../values/ids.ts";
import type { Step } from "../language/plan-language.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { type DraftTies, issuesOfTies, checkStep } from "./check-step.ts";

const ECHO = ToolSpec.parse({
  name: "flow.echo",
  description: "Gives back what it gets.",
  input: { type: "object" },
  output: {},
  effect: "read",
  timeoutMs: 1,
});

/** The codes of the issues in the draft's last step, given the steps before it. */
function codesOf(...drafted: readonly object[]): string[] {
  const steps: Step[] = [];
  const fallbacks = new Map<StepId, StepId>();
  let codes: string[] = [];
  for (const one of drafted) {
    const planned = new Set<string>(steps.map(({ id }) => id));
    const ties: DraftTies = { steps, fallbacks };
    const checked = checkStep(one, { tools: new Map([[ECHO.name, ECHO]]), planned, ties });
    codes = checked.issues.map(({ code }) => code);
    if (checked.step === undefined) continue;
    steps.push(checked.step);
    const { id, fallback } = checked.step;
    if (fallback !== undefined) fallbacks.set(fallback, id);
  }
  return [...codes, ...issuesOfTies({ steps, fallbacks }).map(({ code }) => `in the end ${code}`)];
}

describe("a step of a draft", () => {
  const named = step("a", [], { fallback: "b" });

  it("can name a fallback that is planned later, and a step planned later can verify it", () => {
    expect(codesOf(named, step("check", [], { verifies: "a" }), step("b", ["check"]))).toEqual([]);
  });

  it("must have its fallback planned by the end of the draft", () => {
    expect(codesOf(named)).toEqual(["in the end unknown_fallback"]);
  });

  it.each([
    ["itself", [step("a", [], { fallback: "a" })], "unknown_fallback"],
    ["one that may have begun", [step("b"), named], "unknown_fallback"],
    [
      "that of another step",
      [named, step("c", [], { fallback: "b" }), step("b")].slice(0, 2),
      "shared_fallback",
    ],
  ])("cannot name %s as its fallback", (_name, drafted, code) => {
    expect(codesOf(...drafted)[0]).toBe(code);
  });

  it.each([
    ["a fallback", [named, step("s"), step("b", [], { verifies: "s" })], "nested_verification"],
    [
      "verified itself",
      [step("a"), step("v", [], { verifies: "a" }), step("w", [], { verifies: "v" })],
      "nested_verification",
    ],
    ["planned before the other one", [step("v", [], { verifies: "a" })], "unknown_verified"],
  ])("cannot verify another one when it is %s", (_name, drafted, code) => {
    expect(codesOf(...drafted)[0]).toBe(code);
  });

  it("cannot wait for a step that waits for it", () => {
    expect(codesOf(named, step("c", ["a"]), step("b", ["c"]))[0]).toBe("cycle");
    expect(codesOf(step("a"), step("c", ["a"]), step("v", ["c"], { verifies: "a" }))[0]).toBe("cycle");
  });

  it("is checked without looking at the other steps if it has no ties", () => {
    expect(codesOf(step("a"), step("b", ["a"]))).toEqual([]);
    expect(checkStep(step("a"), { tools: new Map([[ECHO.name, ECHO]]), planned: new Set() }).issues).toEqual(
      [],
    );
  });
});
