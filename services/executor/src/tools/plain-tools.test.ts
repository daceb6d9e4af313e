// Tools that need only their arguments: flow.echo, flow.wait and math.evaluate.
import { describe, expect, it } from "vitest";
import { flowEcho } from "./flow-echo.ts";
import { flowWait } from "./flow-wait.ts";
import { mathEvaluate } from "./math-evaluate.ts";
import { testContext } from "./testing/test-context.ts";

describe("flow.echo", () => {
  it.each([0, "", null, false, [], { a: [{ b: null }] }, "text"])("returns %j unchanged", async (value) => {
    await expect(flowEcho().run({ value }, testContext())).resolves.toEqual(value);
  });

  it("requires a value", async () => {
    await expect(flowEcho().run({}, testContext())).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});

describe("flow.wait", () => {
  it("returns its value, or null", async () => {
    await expect(flowWait().run({ ms: 1, value: { a: 1 } }, testContext())).resolves.toEqual({ a: 1 });
    await expect(flowWait().run({ ms: 0 }, testContext())).resolves.toBeNull();
  });

  it("stops when aborted, with the reason", async () => {
    const stop = new AbortController();
    const waiting = flowWait().run({ ms: 600_000 }, testContext({ signal: stop.signal }));
    stop.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
  });

  it.each([-1, 1.5, 600_001, "5", Number.NaN])("refuses %j milliseconds", async (ms) => {
    await expect(flowWait().run({ ms }, testContext())).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  it("can wait for its maximum without exceeding its own timeout", () => {
    expect(flowWait().spec.timeoutMs).toBeGreaterThan(600_000);
  });
});

describe("math.evaluate", () => {
  const calculate = (expression: string, variables?: object) =>
    mathEvaluate().run({ expression, variables }, testContext());

  it.each<[string, object, unknown]>([
    ["2 + 3 * 4", {}, 14],
    ["roundTo((new - old) / old * 100, 1)", { old: 70, new: 80 }, 14.3],
    ["roundTo(1.005, 2)", {}, 1.01],
    ["sum(xs) / length(xs)", { xs: [1, 2, 6] }, 3],
    ["mean(xs)", { xs: [1, 2, 6] }, 3],
    ["max(1, xs) - min(xs)", { xs: [5, 9] }, 4],
    ["a > b ? a : b", { a: 1, b: 2 }, 2],
    ["if(a, 10, 20)", { a: false }, 20],
    ["a >= 10 and not false", { a: 10 }, true],
    ["2 ^ 10 % 1000", {}, 24],
    ["-2 ^ 2", {}, -4],
    ["5!", {}, 120],
    ["xs[1]", { xs: [3, 4] }, 4],
    ["[a, a * 2]", { a: 2 }, [2, 4]],
    ["a + b", { a: "12.5", b: " 1e2 " }, 112.5],
    ["sqrt(hypot(3, 4) + 4)", {}, 3],
    [`${"(".repeat(100)}1${")".repeat(100)}`, {}, 1],
    [`${"-".repeat(500)}1`, {}, 1],
  ])("calculates %s with %j", async (expression, variables, value) => {
    await expect(calculate(expression, variables)).resolves.toEqual({ value });
  });

  it.each<[string, object | undefined, RegExp]>([
    ["1 / 0", undefined, /infinite/],
    ["0 / 0", undefined, /not a number/],
    ["sqrt(-1)", undefined, /not a number/],
    ["9 ^ 9 ^ 9 ^ 9", undefined, /infinite/],
    ["171!", undefined, /infinite/],
    ["99999999999!", undefined, /infinite/],
    ["1e308 * 10", undefined, /infinite/],
    ["a + b", { a: 1 }, /names b, but variables has a/],
    ["2 +", undefined, /cannot calculate "2 \+": the expression ends where a value should follow$/],
    ["(1", undefined, /: "\)" is missing at line 1, column 3$/],
    ["* 2", undefined, /: unexpected "\*"$/],
    ["1 2", undefined, /: the expression should end at line 1, column \d+$/],
    ["1 @ 2", undefined, /: Unknown character "@" at line 1, column 3$/],
    ["'a'", undefined, /got string/],
    ["'a' || 'b'", undefined, /cannot calculate/],
    ["mean([])", undefined, /not a number/],
    ["sum('abc')", undefined, /wanted numbers/],
    ["max", undefined, /got function/],
    ["x = 5; x", undefined, /cannot calculate/],
    ["f(x) = f(x); f(1)", undefined, /cannot calculate/],
    ["random()", undefined, /names random/],
    ["map(abs, [1])", undefined, /names map/],
    ["constructor", undefined, /cannot calculate|names constructor/],
    ["toString", undefined, /names toString/],
    ["hasOwnProperty('a')", undefined, /cannot calculate/],
    ["a.constructor", { a: 1 }, /cannot calculate/],
    ["a['constructor']('return process')()", { a: [1] }, /cannot calculate/],
    ["sum.constructor('return 1')()", undefined, /cannot calculate/],
    ["__proto__", undefined, /cannot calculate|names __proto__/],
    ["if.bind(1)", undefined, /cannot calculate/],
    [`${"(".repeat(101)}1${")".repeat(101)}`, undefined, /nested too deep/],
    ["max", { max: 1 }, /variables.max: is the name of a function/],
    ["E", { E: 1 }, /variables.E: is the name of a function or constant/],
  ])("refuses %s with %j", async (expression, variables, message) => {
    await expect(calculate(expression, variables)).rejects.toMatchObject({
      code: "invalid_expression",
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, object]>([
    ["", {}],
    ["1".repeat(2_001), {}],
    ["a", { a: "twelve" }],
    ["a", { a: null }],
    ["a", { "a b": 1 }],
    ["a", { a: Array.from({ length: 10_001 }, () => 1) }],
    ["a", { a: Number.POSITIVE_INFINITY }],
  ])("refuses arguments that are out of bounds", async (expression, variables) => {
    await expect(calculate(expression, variables)).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});
