/** What a call's author may have read. */
import type { TracedCall } from "./traced-call.ts";
import type { StepOutput } from "../events/values.ts";
import type { StepId } from "../values/ids.ts";
import type { Json } from "../values/json.ts";
import { deliveredBy } from "../machine/links/standing.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { readsWeb } from "./content-tools.ts";

/**
 * Returns what the web returned to steps, to the loops among them, and to earlier turns of the call's own loop. Of what is
 * kept as a file only the beginning is known.
 */
export function outputTexts(plan: KnownPlan, steps: ReadonlySet<StepId>, loop: TracedCall["loop"]): Json[] {
  const own = (loop?.run.turns ?? []).filter(({ turn }) => turn < (loop?.turn ?? 0));
  const texts = turnTexts(own);
  for (const stepId of steps) {
    const entry = plan.steps.get(stepId);
    if (entry === undefined) continue;
    texts.push(...turnTexts(entry.turns ?? []));
    const output = readsWeb(entry.step.tool) ? deliveredBy(plan, stepId) : undefined;
    if (output?.kind === "value" || output?.kind === "list") texts.push(output.value);
    else if (output?.kind === "artifact" && output.shown !== undefined) texts.push(output.shown);
  }
  return texts;
}

function turnTexts(turns: NonNullable<StepEntry["turns"]>): Json[] {
  return turns.flatMap(({ tool, output }) =>
    output === undefined || tool === undefined || !readsWeb(tool) ? [] : [textOf(output)],
  );
}

function textOf(output: StepOutput): Json {
  return "value" in output ? output.value : output.preview;
}
