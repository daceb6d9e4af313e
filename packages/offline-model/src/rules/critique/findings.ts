/** What the rules say as critics. They say each time that they are rules. */
import { NOTICE } from "../notice.ts";

export type Findings = {
  readonly approved: boolean;
  readonly score: number;
  readonly confidence: number;
  readonly issues: readonly string[];
  readonly suggestion: string;
  readonly replan: null;
};

/** Rules see what is plainly wrong, and little of what is right. */
const CONFIDENCE = { approving: 0.3, rejecting: 0.7 } as const;

/**
 * @param looked - What the rules have looked at, as a clause.
 * @param likeness - From 0 to 1: how much it looks like what was wanted.
 */
export function findingsOf(
  issues: readonly string[],
  { looked, likeness }: { readonly looked: string; readonly likeness: number },
): Findings {
  const approved = issues.length === 0;
  const score = approved ? 0.6 + 0.4 * likeness : 0.4 * likeness;
  return {
    approved,
    score: Math.round(100 * score) / 100,
    confidence: approved ? CONFIDENCE.approving : CONFIDENCE.rejecting,
    issues: issues.map((issue) => `${issue} (${NOTICE})`),
    suggestion: `Judged by an ${NOTICE}: it has only looked ${looked}.`,
    replan: null,
  };
}
