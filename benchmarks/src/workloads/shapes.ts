/** The plans of the workloads, and the same shapes for the floors. */
import type { DagStep } from "../floor/dag.ts";
import type { Task } from "../workflows/task.ts";

type BenchStep = {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly dependsOn?: readonly string[];
};

export type Shape = {
  /** The body of a submission. */
  readonly body: {
    readonly goal: string;
    readonly plan: { readonly steps: readonly BenchStep[] };
    readonly approval?: { readonly risk: "never" };
  };
  /** The expected answer of the plan. */
  readonly answer: unknown;
  readonly dag: readonly DagStep[];
  readonly steps: number;
};

const outputOf = (id: string) => ({ $ref: `${id}.output` });

/** Steps that each echo the output of the previous one. */
export function chain(length: number): Shape {
  const steps = Array.from({ length }, (_, index) => ({
    id: `s${index + 1}`,
    tool: "flow.echo",
    args: { value: index === 0 ? 1 : outputOf(`s${index}`) },
  }));
  const dag = steps.map(({ id }, index) => ({ id, after: index === 0 ? [] : [`s${index}`] }));
  return shapeOf(`a chain of ${length}`, { steps, answer: 1, dag });
}

/** Steps that each wait 1 ms after the previous one. Waiting steps are never fused: each is sent alone. */
export function chainOfWaits(length: number): Shape {
  const steps = Array.from({ length }, (_, index) => ({
    id: `s${index + 1}`,
    tool: "flow.wait",
    args: { ms: 1, value: index === 0 ? 1 : outputOf(`s${index}`) },
  }));
  const dag = steps.map(({ id }, index) => ({ id, after: index === 0 ? [] : [`s${index}`], waitMs: 1 }));
  return shapeOf(`a chain of ${length} short waits`, { steps, answer: 1, dag });
}

/**
 * A chain of five whose third step has an effect, at most once.
 *
 * @param target - Applies the effect on every request; `checkUrl` reports whether a key has taken effect.
 */
export function chainWithEffect(target: { readonly url: string; readonly checkUrl: string }): Shape {
  const steps = [
    { id: "s1", tool: "flow.echo", args: { value: 1 } },
    { id: "s2", tool: "flow.echo", args: { value: outputOf("s1") } },
    { id: "s3", tool: "http.send", args: { ...target, body: outputOf("s2") } },
    { id: "s4", tool: "flow.echo", args: { value: { $ref: "s3.output.status" } } },
    { id: "s5", tool: "flow.echo", args: { value: outputOf("s4") } },
  ];
  const dag = steps.map(({ id }, index) => ({ id, after: index === 0 ? [] : [`s${index}`] }));
  const shape = shapeOf("a chain of 5 that acts once", { steps, answer: 200, dag });
  // No user is there to approve high-risk steps.
  return { ...shape, body: { ...shape.body, approval: { risk: "never" } } };
}

/** Independent steps, and one that collects all of their outputs. */
export function fanIn(width: number): Shape {
  const parts = Array.from({ length: width }, (_, index) => ({
    id: `s${index + 1}`,
    tool: "flow.echo",
    args: { value: index },
  }));
  const join = { id: "join", tool: "flow.echo", args: { value: parts.map(({ id }) => outputOf(id)) } };
  const dag = parts.map(({ id }) => ({ id, after: [] as string[] }));
  return shapeOf(`${width} in parallel and a join`, {
    steps: [...parts, join],
    answer: parts.map((_, index) => index),
    dag: [...dag, { id: "join", after: parts.map(({ id }) => id) }],
  });
}

/** Independent steps; the answer is the first one's output. */
export function fanOut(width: number): Shape {
  const { steps, dag } = independent(width, (index) => ({ tool: "flow.echo", args: { value: index } }));
  return shapeOf(`${width} in parallel`, { steps, answer: 0, dag, answerFrom: "s1" });
}

/** Independent waits; the answer is the first one's value. */
export function parallelWaits(width: number, ms: number): Shape {
  const { steps, dag } = independent(width, (index) => ({ tool: "flow.wait", args: { ms, value: index } }));
  return shapeOf(`${width} waits of ${ms} ms`, { steps, answer: 0, dag, answerFrom: "s1" });
}

function independent(width: number, stepOf: (index: number) => Pick<BenchStep, "tool" | "args">) {
  const steps = Array.from({ length: width }, (_, index) => ({ id: `s${index + 1}`, ...stepOf(index) }));
  return { steps, dag: steps.map(({ id }) => ({ id, after: [] })) };
}

/** Three simultaneous waits of 300 ms, then 200 ms, then 200 ms. */
export const WAITS_CRITICAL_PATH_MS = 700;

export function waits(): Shape {
  const wait = (id: string, ms: number, dependsOn: readonly string[]) => ({
    id,
    tool: "flow.wait",
    args: { ms, value: id },
    dependsOn,
  });
  const steps = [
    wait("a1", 300, []),
    wait("a2", 300, []),
    wait("a3", 300, []),
    wait("b", 200, ["a1", "a2", "a3"]),
    wait("c", 200, ["b"]),
  ];
  const dag = steps.map(({ id, dependsOn, args }) => ({ id, after: dependsOn, waitMs: args.ms }));
  return shapeOf("waits of 300, 200 and 200 ms", { steps, answer: "c", dag });
}

/** Waits for the durations of tasks; the answer is the output of the last one in the list. */
export function waitsOf(goal: string, tasks: readonly Task[]): Shape {
  const steps = tasks.map(({ id, ms, after }) => ({
    id,
    tool: "flow.wait",
    args: { ms, value: id },
    dependsOn: after,
  }));
  const last = tasks.at(-1)?.id ?? "";
  const dag = tasks.map(({ id, ms, after }) => ({ id, after, waitMs: ms }));
  return shapeOf(goal, { steps, answer: last, dag, answerFrom: last });
}

type Parts = Pick<Shape, "answer" | "dag"> & {
  readonly steps: readonly BenchStep[];
  /** Absent: the plan's only final step. */
  readonly answerFrom?: string;
};

function shapeOf(goal: string, { steps, answer, dag, answerFrom }: Parts): Shape {
  const plan = { steps, ...(answerFrom === undefined ? {} : { answerFrom }) };
  return { body: { goal, plan }, answer, dag, steps: steps.length };
}
