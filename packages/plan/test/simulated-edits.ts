/** The edits of reviewers in a simulated world. */
import { gatedSteps } from "../src/machine/approval/plan-gate.ts";
import type { Approval, KnownPlan } from "../src/machine/plan-state.ts";
import { dependenciesOf } from "../src/language/dependencies.ts";
import type { Choose } from "./budget-invariants.ts";
import { READ } from "./facts.ts";

/** The fields of an approval with edits, besides `approve`. */
export function editsOf(plan: KnownPlan, { kind, approvalId }: Approval, choose: Choose): object {
  if (kind !== "plan") return { edits: { value: "edited" } };
  const wanted = gatedSteps(plan).map(({ step }) => step);
  // One step is removed, with all its dependents, since a checked plan has no dangling reference.
  const gone = new Set<string>(choose(2) === 0 ? [] : wanted.slice(-1 - choose(3)).map(({ id }) => id));
  for (let before = -1; before < gone.size; ) {
    before = gone.size;
    for (const step of wanted) if (dependenciesOf(step).some((id) => gone.has(id))) gone.add(step.id);
  }
  const kept = wanted.filter(({ id }) => !gone.has(id));
  const [first] = kept;
  const added = {
    id: `by-ann-${approvalId}`,
    tool: "flow.echo",
    args: { value: 2 },
    dependsOn: first ? [first.id] : [],
  };
  const isThere = new Set<string>(kept.map(({ id }) => id));
  const changed = kept.map(({ fallback, ...step }, index) => ({
    ...step,
    ...(fallback !== undefined && isThere.has(fallback) ? { fallback } : {}),
    ...(index === 0 ? { description: "changed" } : {}),
  }));
  return { edits: { steps: [...changed, added] }, grants: { "flow.echo": READ } };
}
