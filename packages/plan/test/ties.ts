/** Fallbacks and verifying steps in random plans: as many of the requested ones as a checked plan may have. */
import { cyclesOf } from "../src/check/check-cycles.ts";
import { checkTies } from "../src/check/check-ties.ts";
import { IssueList } from "../src/check/issue-list.ts";
import { Step } from "../src/language/plan-language.ts";

/** A step's requested fallback or verification: a step that it depends on, or one that is planned after it. */
export type Tie = { readonly kind: "verifies" | "fallback"; readonly distance: number };

type Planned = { readonly step: { readonly id: string } & object };

/** The steps with those fallbacks and verifications that leave every step able to run. */
export function withTies<One extends Planned>(
  planned: readonly One[],
  ties: readonly (Tie | undefined)[],
  needs: readonly (readonly string[])[],
): One[] {
  const tied = [...planned];
  for (const [index, tie] of ties.entries()) {
    const before = tied[index];
    if (tie === undefined || before === undefined) continue;
    const other = tie.kind === "verifies" ? needs[index]?.[0] : tied[index + 1 + tie.distance]?.step.id;
    if (other === undefined) continue;
    tied[index] = { ...before, step: { ...before.step, [tie.kind]: other } };
    if (!canRun(tied)) tied[index] = before;
  }
  return tied;
}

function canRun(planned: readonly Planned[]): boolean {
  const parts = planned.map(({ step }) => {
    const parsed = Step.parse(step);
    const { id, tool, args, dependsOn, when, forEach, verifies, fallback } = parsed;
    return { place: { stepId: id, path: id }, id, tool, args, dependsOn, when, forEach, verifies, fallback };
  });
  const ids = new Map(parts.map(({ id }, index) => [id, index]));
  const issues = new IssueList();
  checkTies(parts, ids, issues);
  return issues.count === 0 && cyclesOf(parts, ids).length === 0;
}

/** Whether a draft has fallbacks or verifications: then adding another dependency requires a check. */
export function areTied(planned: readonly Planned[]): boolean {
  return planned.some(({ step }) => "verifies" in step || "fallback" in step);
}
