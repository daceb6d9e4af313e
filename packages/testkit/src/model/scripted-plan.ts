/** Plans and reviews in the form that a model writes, with default values for fields that a test does not set. */

export type ScriptedStep = {
  readonly id: string;
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly dependsOn?: readonly string[];
  readonly successCriteria?: string | null;
  readonly expectedOutput?: string | null;
  readonly flow?: object | null;
  /** Only if the plan's steps are reviewed. */
  readonly review?: object | null;
  /** An agent type. */
  readonly agent?: string;
};

export type ScriptedPlan = {
  readonly steps: readonly ScriptedStep[];
  readonly reasoning?: string;
  readonly answerFrom?: string | null;
};

export type ScriptedJudgement = {
  readonly decision?: "answer" | "revise";
  readonly reason?: string | null;
  readonly status?: string;
  readonly text?: string;
  readonly data?: unknown;
  readonly sources?: readonly string[] | null;
};

/** The complete text of a plan reply. */
export function planText(plan: ScriptedPlan): string {
  return [...piecesOf(plan)].join("");
}

/**
 * Yields a plan reply step by step, one piece each.
 *
 * @param beforeStep - Awaited before each step is sent, so that a test can withhold it.
 */
export async function* planPieces(
  plan: ScriptedPlan,
  beforeStep: (stepId: string) => Promise<void> | void = () => undefined,
): AsyncGenerator<string> {
  const pieces = [...piecesOf(plan)];
  for (const [index, piece] of pieces.entries()) {
    const step = plan.steps[index - 1];
    if (step !== undefined) await beforeStep(step.id);
    yield piece;
  }
}

/** The text of a synthesis reply; default: a successful answer without sources. */
export function judgementText(judgement: ScriptedJudgement): string {
  return JSON.stringify({
    decision: judgement.decision ?? "answer",
    reason: judgement.reason ?? null,
    status: judgement.status ?? "success",
    text: judgement.text ?? "",
    dataJson: judgement.data === undefined ? null : JSON.stringify(judgement.data),
    sources: judgement.sources === undefined ? [] : judgement.sources,
  });
}

/** A reviewer's reply about a step, a plan or an answer. Default: approved, without suggestions. */
type ScriptedFindings = {
  readonly approved?: boolean;
  readonly score?: number;
  readonly confidence?: number | null;
  readonly issues?: readonly string[];
  readonly suggestion?: string | null;
  /** Only in reviews of steps. */
  readonly replan?: boolean | null;
};

/** The text of a reviewer's reply. */
export function findingsText(findings: ScriptedFindings): string {
  const { approved = true } = findings;
  return JSON.stringify({
    approved,
    score: findings.score ?? (approved ? 1 : 0),
    confidence: findings.confidence ?? null,
    issues: findings.issues ?? [],
    suggestion: findings.suggestion ?? null,
    replan: findings.replan ?? null,
  });
}

/** Yields the head, one piece per step up to its closing brace, and the tail. */
function* piecesOf({ steps, reasoning = "scripted", answerFrom = null }: ScriptedPlan): Generator<string> {
  yield `{"reasoning":${JSON.stringify(reasoning)},"steps":[`;
  for (const [index, step] of steps.entries()) {
    const whole = {
      id: step.id,
      description: step.description ?? `${step.tool} as ${step.id}`,
      tool: step.tool,
      args: step.args ?? {},
      dependsOn: step.dependsOn ?? [],
      successCriteria: step.successCriteria ?? null,
      flow: step.flow ?? null,
      expectedOutput: step.expectedOutput ?? null,
      ...(step.review === undefined ? {} : { review: step.review }),
      ...(step.agent === undefined ? {} : { agent: step.agent }),
    };
    yield `${index === 0 ? "" : ","}${JSON.stringify(whole)}`;
  }
  yield `],"answerFrom":${JSON.stringify(answerFrom)}}`;
}
