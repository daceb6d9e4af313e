/**
 * Turns one output into a state patch. This model sees the raw output, and decides nothing; the models that decide
 * see the patch instead of the output.
 */
import { FactRecorded, FactsWork, runOf, type StatePatch } from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import { type ModelJob, UnwantedError, type Untraced } from "@planwright/shared/jobs";
import { type HandlerDeps, wholeOutput } from "../load-outputs.ts";
import { askForFacts } from "../replies/state-patch.ts";

const NOTHING: StatePatch = { facts: [], openQuestions: [], answeredQuestions: [] };

/** Facts are optional: if none can be extracted from an output, that is recorded, and no plan fails because of it. */
export function extractFacts(deps: HandlerDeps): ModelJob<Untraced<FactsWork>, StatePatch> {
  return {
    Schema: FactsWork,
    destination: "work.facts",
    consumer: "processor",
    attributes: ({ stepId }) => ({ "step.id": stepId }),
    interrupted: "the reflector stopped before the facts were extracted",

    async ask({ work, plan, ...asking }) {
      const entry = runOf(plan, work);
      if (entry === undefined) throw new UnwantedError("the step is gone");
      const output = await wholeOutput(deps.artifacts, plan, entry);
      return askForFacts({ plan, entry, output }, asking);
    },

    async record({ work, outcome = NOTHING, failure, used, trace }) {
      const { stepId, item, attempt } = work;
      const fault = failure === undefined ? {} : { fault: failure.message };
      const data = { stepId, item, attempt, ...outcome, ...used, ...fault };
      await appendEvent(deps.publish, FactRecorded.create({ ...work, at: deps.now() }, data), { trace });
      return {};
    },
  };
}
