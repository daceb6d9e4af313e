// Invalid fallbacks and verifications.
import { describe, expect, it } from "vitest";
import { step } from "../../test/facts.ts";
import { checkPlan } from "./check-plan.ts";
import type { ToolSpec } from "../language/tool-spec.ts";

const ECHO: ToolSpec = {
  name: "flow.echo",
  description: "Gives back what it gets.",
  input: { type: "object", properties: { value: {} } },
  risk: "low",
  effect: "read",
  timeoutMs: 1_000,
  pool: "default",
  untrusted: false,
} as unknown as ToolSpec;

function issuesOf(...steps: object[]): string[] {
  const { issues } = checkPlan({ steps }, { tools: new Map([["flow.echo", ECHO]]) });
  return issues.map(({ code, stepId, message }) => `${stepId} ${code}: ${message}`);
}

describe("a plan with fallbacks and verifications", () => {
  it("is accepted when its fallbacks and its verifying steps can run", () => {
    expect(
      issuesOf(
        step("a", [], { fallback: "b", verifies: undefined }),
        step("check", [], { verifies: "a", args: { value: "{{a.output}}" } }),
        step("b", ["check"], { fallback: "c" }),
        step("c", ["s"]),
        step("s"),
        step("end", ["check", "a"]),
      ),
    ).toEqual([]);
  });

  it("is refused when a fallback is unknown, is the step itself, or already belongs to another step", () => {
    expect(
      issuesOf(
        step("a", [], { fallback: "bb" }),
        step("b", [], { fallback: "b" }),
        step("c", [], { fallback: "e" }),
        step("d", [], { fallback: "e" }),
        step("e"),
      ),
    ).toEqual([
      'a unknown_fallback: wanted another step of this plan, got "bb"; did you mean "b"?',
      'b unknown_fallback: wanted another step of this plan, got "b"; did you mean "b"?',
      'd shared_fallback: wanted a step that no other step has as its fallback, got "e", which is that of "c"',
    ]);
  });

  it("is refused when a step verifies an unknown step, itself, or another verification", () => {
    expect(
      issuesOf(
        step("a", [], { verifies: "z" }),
        step("b", [], { verifies: "b" }),
        step("c"),
        step("d", [], { verifies: "c", fallback: "f" }),
        step("e", [], { verifies: "d" }),
        step("f", [], { verifies: "c" }),
      ).map((issue) => issue.slice(0, issue.indexOf(":"))),
    ).toEqual([
      "a unknown_verified",
      "b self_dependency",
      "b nested_verification",
      "d nested_verification",
      "e nested_verification",
      "f nested_verification",
    ]);
  });

  it("is refused when a chain of fallbacks is too long", () => {
    const chain = Array.from({ length: 7 }, (_, index) =>
      step(`s${index}`, [], index === 6 ? {} : { fallback: `s${index + 1}` }),
    );
    expect(issuesOf(...chain.slice(1))).toEqual([]);
    expect(issuesOf(...chain)).toEqual([
      "s0 too_many_fallbacks: wanted at most 5 steps that stand in for one, each for the one before, got 6",
    ]);
  });

  it.each([
    [
      "fallbacks in a round",
      [step("a", [], { fallback: "b" }), step("b", [], { fallback: "a" })],
      "b → a → b",
    ],
    ["a fallback that needs the step", [step("a", [], { fallback: "b" }), step("b", ["a"])], "a → b → a"],
    [
      "a fallback that needs what needs the step",
      [step("a", [], { fallback: "b" }), step("c", ["a"]), step("b", ["c"])],
      "a → b → c → a",
    ],
    [
      "a verifying step that needs what needs the step",
      [step("a"), step("c", ["a"]), step("check", ["c"], { verifies: "a" })],
      "a → check → c → a",
    ],
    [
      "a verifying step that needs the fallback",
      [step("a", [], { fallback: "b" }), step("b"), step("check", ["b"], { verifies: "a" })],
      "a → check → b → a",
    ],
  ])("is refused with its path when it has %s", (_name, steps, path) => {
    const [issue] = issuesOf(...steps);
    expect(issue).toContain("cycle");
    expect(issue).toContain(`got steps that wait for each other: ${path}; what needs a step waits for its`);
  });
});
