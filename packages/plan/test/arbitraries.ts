/** Random plans in the form of checked ones, and the choices of a simulated world. */
import fc from "fast-check";
import { AGENT_REACT } from "../src/language/tool-names.ts";
import { CODE_RUN } from "../src/arguments/code-run.ts";
import { LIMITS } from "../src/values/limits.ts";
import { LIGHT, LOOP, ONCE, REVISER, SUB_PLAN, WRITE, WRITER } from "./facts.ts";
import { withTies } from "./ties.ts";

export type PlannedStep = {
  readonly step: { readonly id: string } & object;
  readonly grant: object;
  readonly compensateGrant?: object | undefined;
};

const TOOLS = {
  "flow.echo": LIGHT,
  "draft.write": REVISER,
  "files.write": WRITE,
  "mail.send": ONCE,
  "model.write": WRITER,
  "plan.run": SUB_PLAN,
  "human.ask": SUB_PLAN,
  "agent.react": LOOP,
  "code.run": LIGHT,
} as const;

/**
 * The steps of a valid plan, each depending only on earlier steps: a third of them on none, some by reference, some by a
 * reference that may not resolve.
 */
export function dagArbitrary({ stepsMin = 1, stepsMax = 60 } = {}): fc.Arbitrary<PlannedStep[]> {
  return fc.array(shape, { minLength: stepsMin, maxLength: stepsMax, size: "max" }).map((shapes) => {
    const needs = shapes.map(({ parents }, index) =>
      index === 0 ? [] : [...new Set(parents.map((parent) => `s${parent % index}`))],
    );
    const planned = shapes.map(
      ({ tool, parents: _parents, kind, compensate, condition, list, tie: _tie, ...others }, index) => {
        const ids = needs[index] ?? [];
        const more = {
          ...others,
          ...(compensate === undefined || list !== undefined
            ? {}
            : { compensate: ofStep(`s${index}`, compensate) }),
          ...(list === undefined
            ? {}
            : { forEach: LISTS[list === "many" && index > 0 ? "three" : list](ids) }),
          ...(condition === undefined || ids.length === 0 ? {} : { when: CONDITIONS[condition](ids) }),
        };
        const { dependsOn, args: known } = kindsOfDependency[kind](ids);
        // Every other program calls tools, which makes it a loop.
        const own = tool === CODE_RUN && index % 2 === 1 ? { ...known, tools: ["mail.send"] } : known;
        const args = list === undefined ? own : { ...own, item: { $ref: "item" }, text: "{{item.x}}" };
        const grants = { grant: TOOLS[tool], compensateGrant: compensate && TOOLS[compensate.tool] };
        return { step: { id: `s${index}`, tool, dependsOn, args, ...more }, ...grants };
      },
    );
    const ties = shapes.map(({ tie }) => tie);
    return withTies(planned, ties, needs);
  });
}

const shape = fc.record(
  {
    tool: fc.constantFrom(
      "flow.echo",
      "flow.echo",
      "files.write",
      "mail.send",
      "model.write",
      "draft.write",
      "plan.run",
      "human.ask",
      "agent.react",
      "code.run",
    ),
    parents: fc.array(fc.nat({ max: 999 }), { maxLength: 3 }),
    compensate: fc.record(
      {
        tool: fc.constantFrom("flow.echo", "files.write", "mail.send"),
        args: fc.constantFrom({}, { value: { $ref: "SELF.output" } }, { value: { $ref: "SELF.output.x" } }),
        retry: fc.record({ maxAttempts: fc.integer({ min: 1, max: 3 }) }),
      },
      { requiredKeys: ["tool", "args"] },
    ),
    kind: fc.constantFrom("named", "value", "text", "nowhere"),
    retry: fc.record(
      { maxAttempts: fc.integer({ min: 1, max: 5 }), backoffMs: fc.nat({ max: 2_000 }) },
      { requiredKeys: [] },
    ),
    timeoutMs: fc.integer({ min: 1, max: 60_000 }),
    expectedOutput: fc.constant("a number"),
    review: fc.record({
      maxIterations: fc.integer({ min: 1, max: 4 }),
      onMiss: fc.constantFrom("keep", "revise"),
    }),
    tie: fc.record({ kind: fc.constantFrom("verifies", "fallback"), distance: fc.nat({ max: 2 }) }),
    condition: fc.constantFrom("succeeded", "passed", "all", "unclear"),
    confidence: fc.constantFrom(0.4, 0.6, 1),
    list: fc.constantFrom("three", "none", "many", "output"),
  },
  { requiredKeys: ["tool", "parents", "kind"] },
);

/** The lists that a step may run for; its arguments need an `x` of each item. */
const LISTS: Record<"three" | "none" | "many" | "output", (ids: readonly string[]) => unknown> = {
  three: () => [{ x: 1 }, { x: 2 }, { y: 3 }],
  none: () => [],
  many: () => Array.from({ length: LIMITS.itemsAtOnceMax + 3 }, (_, x) => ({ x })),
  output: ([first]) => (first === undefined ? [{ x: 0 }] : { $ref: `${first}.output` }),
};

/** The conditions that a step's `when` may have about earlier steps. */
const CONDITIONS: Record<"succeeded" | "passed" | "all" | "unclear", (ids: readonly string[]) => string> = {
  succeeded: ([first]) => `${first}.output.x > 1 or ${first}.output == "no x"`,
  passed: ([first]) => `{{${first}.output}} == null`,
  all: (ids) => ids.map((id) => `${id}.output`).join(" and "),
  unclear: ([first]) => `${first}.output >= 1`,
};

function ofStep(id: string, compensate: object): object {
  return JSON.parse(JSON.stringify(compensate).replace("SELF", id)) as object;
}

type Dependencies = { readonly dependsOn: string[]; readonly args: object };
const kindsOfDependency: Record<"named" | "value" | "text" | "nowhere", (ids: string[]) => Dependencies> = {
  named: (dependsOn) => ({ dependsOn, args: { value: 1 } }),
  value: (ids) => ({ dependsOn: [], args: { value: ids.map((id) => ({ $ref: `${id}.output` })) } }),
  text: (ids) => ({ dependsOn: [], args: { value: ids.map((id) => `{{ ${id}.output }}`).join(", ") } }),
  nowhere: ([first, ...others]) => ({
    dependsOn: others,
    args: first === undefined ? {} : { value: { $ref: `${first}.output.x` } },
  }),
};

/** A few steps that work in loops, so that a world's choices suffice for the possible outcomes of their calls. */
export const loopsArbitrary: fc.Arbitrary<PlannedStep[]> = dagArbitrary({ stepsMax: 3 }).map((planned) =>
  planned.map(({ step }) => {
    const { compensate: _compensate, forEach, ...rest } = step as Record<string, unknown>;
    const list = Array.isArray(forEach) ? { forEach: forEach.slice(0, 3) } : {};
    return { step: { ...rest, ...list, id: step.id, tool: AGENT_REACT }, grant: LOOP };
  }),
);

/** The next choices of a simulated world: 0 is always the harmless one, so that shrinking makes the world calmer. */
export const choicesArbitrary = fc.array(fc.nat({ max: 999 }), { maxLength: 600, size: "max" });
