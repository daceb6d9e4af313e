/** The plans that the page shows during the measurement. */

type WaitStep = {
  readonly id: string;
  readonly tool: "flow.wait" | "flow.echo";
  readonly args: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
};

export type PageBody = {
  readonly goal: string;
  /** The answer is a step's output: no model is called, and there is none. */
  readonly plan: { readonly steps: readonly WaitStep[]; readonly answerFrom: string };
};

/** Steps in columns, each depending on the one above it, so that about `columns` of them run at a time. */
export function columnsOfWaits(steps: number, { columns, ms }: { columns: number; ms: number }): PageBody {
  const planned = Array.from(
    { length: steps },
    (_, index): WaitStep => ({
      id: `s${index}`,
      tool: "flow.wait",
      // Not all at the same moment.
      args: { ms: ms + ((index * 37) % 100), value: index },
      dependsOn: index < columns ? [] : [`s${index - columns}`],
    }),
  );
  return {
    goal: `${steps} steps that wait, ${columns} at a time`,
    plan: { steps: planned, answerFrom: `s${steps - 1}` },
  };
}

export function echoes(steps: number): PageBody {
  const planned = Array.from(
    { length: steps },
    (_, index): WaitStep => ({ id: `e${index}`, tool: "flow.echo", args: { value: index }, dependsOn: [] }),
  );
  return { goal: `${steps} steps that echo`, plan: { steps: planned, answerFrom: `e${steps - 1}` } };
}
