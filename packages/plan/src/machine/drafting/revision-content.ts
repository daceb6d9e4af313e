import type { Map } from "immutable";
import { canonicalJson } from "../../values/canonical-json.ts";
import { rewriteReferences } from "../../draft/rewrite-references.ts";
import type { StepId } from "../../values/ids.ts";
import type { StepEntry } from "../plan-state.ts";

/** What steps do, whatever they are called: equal for two revisions that add the same. */
export function revisionContent(steps: Map<StepId, StepEntry>, added: readonly StepId[]): string {
  const names = new globalThis.Map(added.map((stepId, index) => [stepId, `new-${index}` as StepId]));
  const rename = (stepId: StepId): StepId => names.get(stepId) ?? stepId;
  return canonicalJson(
    added.map((stepId) => {
      const entry = steps.get(stepId);
      if (entry === undefined) return null;
      const { tool, args, agent = null, model = null } = entry.step;
      const dependencies = entry.dependencies.map(rename).toSorted();
      return { tool, args: rewriteReferences(args, rename), agent, model, dependencies };
    }),
  );
}
