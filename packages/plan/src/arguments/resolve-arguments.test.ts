// The arguments that a step's tool receives: outputs of other steps in place of references.
import { describe, expect, it } from "vitest";
import { after, fact, step, submitted, succeeded } from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { LIMITS } from "../values/limits.ts";

/** Returns the decisions about a step with these arguments after the step `a` succeeded with this output. */
function decided(args: object, output: unknown) {
  const [command] = decide(after(submitted([step("a"), step("b", ["a"], { args })]), succeeded("a", output)));
  if (command?.kind === "run") return { args: command.work.args };
  return command?.kind === "record" && command.event.type === "step.failed" ? command.event : undefined;
}

describe("the arguments of a step", () => {
  it("are the planned arguments when they have no references, however large", () => {
    const value = "x".repeat(LIMITS.argsBytesMax);
    expect(decided({ value }, 1)).toEqual({ args: { value } });
  });

  it("can be as large as the limit after resolving, and no larger", () => {
    const overhead = '{"value":""}'.length;
    const text = "x".repeat(LIMITS.argsBytesMax - overhead);
    expect(decided({ value: { $ref: "a.output" } }, text)).toEqual({ args: { value: text } });
    expect(decided({ value: { $ref: "a.output" } }, `${text}x`)).toMatchObject({
      id: "p1/b/0/1/done",
      data: {
        stepId: "b",
        attempt: 1,
        workerId: "planner",
        retryable: false,
        error: {
          code: "args_too_large",
          message: `resolved arguments take ${LIMITS.argsBytesMax + 1} bytes, at most ${LIMITS.argsBytesMax} are allowed; refer to less`,
        },
      },
    });
  });

  it("are measured in bytes, not in characters", () => {
    const text = "€".repeat(LIMITS.argsBytesMax / 2);
    expect(decided({ value: { $ref: "a.output" } }, text)).toMatchObject({
      data: { error: { code: "args_too_large" } },
    });
  });

  it("are refused before they are built when they would take gigabytes", () => {
    const text = "x".repeat(60_000);
    const args = { value: "{{a.output}}".repeat(20_000) };
    expect(decided(args, text)).toMatchObject({
      data: {
        error: { code: "args_too_large", message: expect.stringContaining("more than 1200000000 bytes") },
      },
    });
    expect(decided({ value: Array(5_000).fill({ $ref: "a.output.x" }) }, { x: { text } })).toMatchObject({
      data: { error: { code: "args_too_large" } },
    });
  });

  it("are refused when an output is nested too deep to be walked", () => {
    const levels = 30_000;
    const output: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
    for (const value of [{ $ref: "a.output" }, "{{a.output}}", { $ref: "a.output[0]" }]) {
      expect(decided({ value }, output)).toMatchObject({
        data: {
          error: {
            code: "args_too_deep",
            message: "resolved arguments are nested more than 500 levels deep; refer to less",
          },
        },
      });
    }
  });

  it("name an output that is stored as an artifact, whatever its size", () => {
    const output = {
      artifact: { name: "a.json", contentType: "application/json", bytes: 9e9 },
      preview: "…",
    };
    const done = fact("step.succeeded", { ...succeeded("a").data, output });
    const args = { value: { $ref: "a.output.rows" } };
    expect(decide(after(submitted([step("a"), step("b", [], { args })]), done))).toMatchObject([
      { work: { args: { value: { $artifact: "a.json", path: ["rows"] } } } },
    ]);
  });

  it("fail the step when a reference cannot be resolved", () => {
    expect(decided({ value: "{{a.output.price}}" }, { cost: 1 })).toMatchObject({
      data: {
        error: {
          code: "unresolved_reference",
          message: 'a.output.price leads nowhere: no "price" in an object with cost',
        },
      },
    });
  });
});
