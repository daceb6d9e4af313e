/** Builds documents of the plan language, with references that are typed by the tools' outputs. */
import type { Compensation, JsonObject, Step } from "@planwright/plan";
import type { BuiltInTools } from "./built-in-tools.ts";
import { type Input, pathOf, type Ref, refTo, type RefTo } from "./reference.ts";

/**
 * Arguments and outputs of the tools that plans can name. Add your own:
 *
 * ```ts
 * declare module "@planwright/client" {
 *   interface ToolTypes {
 *     "shop.price": { args: { sku: string }; output: { usd: number } };
 *   }
 * }
 * ```
 */
export interface ToolTypes extends BuiltInTools {}

/** A tool that has types, or any other. */
export type ToolName = keyof ToolTypes | (string & {});

type ArgsOf<Tool> = Tool extends keyof ToolTypes
  ? Input<ToolTypes[Tool]["args"]>
  : Readonly<Record<string, unknown>>;
type OutputOf<Tool> = Tool extends keyof ToolTypes ? ToolTypes[Tool]["output"] : unknown;

/** A step of the plan under construction. */
export type StepHandle<Output> = {
  readonly id: string;
  /** Refers to the step's output. */
  readonly output: Ref<Output>;
};

type StepName = string | { readonly id: string };

/** Fields of a step other than its tool and arguments; see docs/steps.md. */
export type StepOptions = Partial<
  Omit<
    Step,
    "id" | "tool" | "args" | "dependsOn" | "when" | "forEach" | "fallback" | "verifies" | "compensate"
  >
> & {
  /** Steps to wait for, in addition to those that the arguments refer to. */
  readonly dependsOn?: readonly StepName[];
  /** The step whose output replaces this one's if this one fails permanently. */
  readonly fallback?: StepName;
  /** The step that this one checks. */
  readonly verifies?: StepName;
  /** The step's compensation. Its arguments may refer to the step's own output. */
  readonly compensate?: Partial<Omit<Compensation, "tool" | "args">> & {
    readonly tool: string;
    readonly args?: Readonly<Record<string, unknown>>;
  };
};

export type PlanBuilder = {
  /** Adds a step. @throws {TypeError} When the id is already used, or an argument is not JSON. */
  readonly step: <const Tool extends ToolName>(
    id: string,
    tool: Tool,
    args: ArgsOf<Tool>,
    options?: StepOptions,
  ) => StepHandle<OutputOf<Tool>>;
  /** Runs the step that `body` adds once for each entry of a list. Its output is the list of results. */
  readonly each: <Entry, Output>(
    list: RefTo<readonly Entry[]> | readonly Entry[],
    body: (item: Ref<Entry>) => StepHandle<Output>,
  ) => StepHandle<Output[]>;
  /**
   * Runs the steps that the returned function's `body` adds only if a condition holds:
   * `` when`${look.output.total} > 100`(() => step(…)) ``. Text values are quoted.
   */
  readonly when: (
    condition: TemplateStringsArray,
    ...values: readonly (RefTo<unknown> | string | number | boolean | null)[]
  ) => <Result>(body: () => Result) => Result;
};

/** A document of the plan language: the `plan` of a submission. */
export type BuiltPlan = JsonObject & { readonly steps: JsonObject[] };

/**
 * Builds a plan. The step that `build` returns provides the answer; without one, a model writes it from the results.
 *
 * @throws {TypeError} When the steps cannot form a plan; `plans.check` finds all other errors.
 */
export function plan(
  build: (builder: PlanBuilder) => { readonly id: string } | undefined | void,
  options: { readonly reasoning?: string } = {},
): BuiltPlan {
  const steps = new Map<string, Draft>();
  const builder: PlanBuilder = {
    step: (id, tool, args, stepOptions = {}) => {
      if (steps.has(id)) throw new TypeError(`there are two steps with the id ${JSON.stringify(id)}`);
      const named = jsonOf(stepOptions, ({ id: stepId }) => stepId);
      steps.set(id, { id, tool, ...named, args: jsonOf(args, ({ output }) => output) });
      return handleOf(id);
    },
    each: (list, body) => {
      const [handle, added] = addedBy(steps, () => body(refTo("item")));
      const [only, ...others] = added;
      if (only === undefined || others.length > 0) {
        throw new TypeError(`each: wanted one step, got ${added.length}: use each for every step`);
      }
      if (only.forEach !== undefined)
        throw new TypeError(`each: the step ${only.id} already runs for each item of a list`);
      const { list: forEach } = jsonOf({ list }, ({ output }) => output) as { readonly list: unknown };
      only.forEach = forEach;
      return handleOf(handle.id);
    },
    when: (texts, ...values) => {
      const condition = texts
        .map((text, index) => text + (index < values.length ? operandOf(values[index]) : ""))
        .join("");
      return (body) => {
        const [result, added] = addedBy(steps, body);
        for (const step of added)
          step.when = step.when === undefined ? condition : `(${condition}) and (${step.when})`;
        return result;
      };
    },
  };
  const answer = build(builder);
  return {
    // Drafts are built from JSON only.
    steps: [...steps.values()].map((step) => ({ ...step })) as JsonObject[],
    ...(answer === undefined ? {} : { answerFrom: answer.id }),
    ...(options.reasoning === undefined ? {} : { reasoning: options.reasoning }),
  };
}

type Draft = { readonly id: string; when?: string; forEach?: unknown; readonly [field: string]: unknown };

function addedBy<Result>(steps: ReadonlyMap<string, Draft>, body: () => Result): [Result, Draft[]] {
  const before = steps.size;
  const result = body();
  return [result, [...steps.values()].slice(before)];
}

/** Conditions hold references as plain paths. */
function operandOf(value: unknown): string {
  return pathOf(value) ?? JSON.stringify(value);
}

/**
 * Replaces references by `{"$ref"}`.
 *
 * @param stepAs - Returns the value that replaces a step.
 * @throws {TypeError} When a value is not JSON.
 */
function jsonOf(value: object, stepAs: (handle: StepHandle<unknown>) => unknown): object {
  const text = JSON.stringify(value, (key, entry: unknown) => {
    if (typeof entry === "function" || typeof entry === "symbol" || Number.isNaN(entry)) {
      throw new TypeError(`${key}: wanted JSON, got ${String(entry)}`);
    }
    if (!isHandle(entry)) return entry;
    const meant = stepAs(entry);
    return typeof meant === "string" ? meant : { $ref: pathOf(meant) };
  });
  return JSON.parse(text) as object;
}

const HANDLES = new WeakSet<object>();

function handleOf<Output>(id: string): StepHandle<Output> {
  const handle: StepHandle<Output> = { id, output: refTo(`${id}.output`) };
  HANDLES.add(handle);
  return handle;
}

function isHandle(value: unknown): value is StepHandle<unknown> {
  return typeof value === "object" && value !== null && HANDLES.has(value);
}
