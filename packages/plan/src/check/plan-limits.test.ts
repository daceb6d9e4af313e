// A plan at each limit of the plan language is accepted; beyond it, it is refused with the field, the expected and the actual
// value.
import { describe, expect, it } from "vitest";
import { LIMITS } from "../values/limits.ts";
import { ECHO } from "../testing/echo-spec.ts";
import { checkPlan } from "./check-plan.ts";
import { DEPTH_MAX } from "./scan-value.ts";

const tools = new Map([[ECHO.name, ECHO]]);

const step = (more: object = {}) => ({ id: "a", tool: "flow.echo", args: { value: 1 }, ...more });
const planOf = (more: object) => ({ steps: [step(more)] });
const text = (chars: number): string => "x".repeat(chars);
const DAY_MS = 86_400_000;

/** Lists inside lists: with the arguments around them, `levels` inside the step. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

/** Arguments that take `bytes` as JSON. */
const argsOf = (bytes: number) => ({ value: text(bytes - JSON.stringify({ value: "" }).length) });

type Row = readonly [limit: string, make: (size: number) => object, max: number, says: RegExp];

const ROWS: readonly Row[] = [
  [
    "steps",
    (steps) => ({ steps: Array.from({ length: steps }, (_, index) => step({ id: `s${index}` })) }),
    LIMITS.stepsMax,
    /^steps: wanted at most 10000 steps, got 10001$/,
  ],
  [
    "bytes of arguments",
    (bytes) => planOf({ args: argsOf(bytes) }),
    LIMITS.argsBytesMax,
    /^args: wanted at most 262144 bytes of arguments as JSON, got 262145$/,
  ],
  [
    "levels of nesting",
    (levels) => planOf({ args: { value: nested(levels) } }),
    DEPTH_MAX,
    /^args\.value.*: wanted at most 64 levels of nesting, got more$/,
  ],
  [
    "characters of an id",
    (chars) => planOf({ id: text(chars) }),
    64,
    /^steps\[0\]\.id: wanted 1 to 64 letters.*got/,
  ],
  [
    "characters of a description",
    (chars) => planOf({ description: text(chars) }),
    2_000,
    /^steps\[0\]\.description: wanted at most 2000 characters, got .*2001 characters/,
  ],
  [
    "characters of the reasoning",
    (chars) => ({ ...planOf({}), reasoning: text(chars) }),
    20_000,
    /^reasoning: wanted at most 20000 characters, got .*20001 characters/,
  ],
  [
    "characters of success criteria",
    (chars) => planOf({ successCriteria: text(chars) }),
    2_000,
    /^steps\[0\]\.successCriteria: .*at most 2000 characters/,
  ],
  [
    "characters of a model's name",
    (chars) => planOf({ model: text(chars) }),
    128,
    /^steps\[0\]\.model: .*at most 128 characters/,
  ],
  [
    "characters of a pool's name",
    (chars) => planOf({ agent: text(chars) }),
    32,
    /^steps\[0\]\.agent: wanted .*got "x{33}"/,
  ],
  [
    "milliseconds of a time-out",
    (timeoutMs) => planOf({ timeoutMs }),
    DAY_MS,
    /^steps\[0\]\.timeoutMs: wanted at most 86400000, got 86400001$/,
  ],
  [
    "attempts",
    (maxAttempts) => planOf({ retry: { maxAttempts } }),
    LIMITS.attemptsMax,
    /^steps\[0\]\.retry\.maxAttempts: wanted at most 5, got 6$/,
  ],
  [
    "milliseconds before the second attempt",
    (backoffMs) => planOf({ retry: { backoffMs } }),
    3_600_000,
    /^steps\[0\]\.retry\.backoffMs: wanted at most 3600000, got 3600001$/,
  ],
  [
    "parts of a confidence",
    (confidence) => planOf({ confidence }),
    1,
    /^steps\[0\]\.confidence: wanted at most 1, got 2$/,
  ],
];

describe("a plan", () => {
  it.each(ROWS)("can have as many %s as allowed", (_limit, make, max) => {
    expect(checkPlan(make(max), { tools }).issues).toEqual([]);
  });

  it.each(ROWS)("is refused with one too many of the %s", (_limit, make, max, says) => {
    const { plan, issues } = checkPlan(make(max + 1), { tools });
    expect(plan).toBeUndefined();
    expect(issues.map(({ field, message }) => `${field}: ${message}`)).toEqual([expect.stringMatching(says)]);
  });
});
