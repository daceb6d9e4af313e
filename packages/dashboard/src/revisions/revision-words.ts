/** Revisions in words: why there was one, and who asked for it. */
import type { RevisionAsker } from "@planwright/plan/revision-diff";
import type { PlanView } from "../api/api-types.ts";

type Cause = PlanView["revisions"][number]["cause"];

const CAUSES: Readonly<Record<Cause, string>> = {
  results: "The results did not answer the goal",
  failure: "A step failed for good",
  verification: "A check refused a step's output",
  expectation: "An output was not what was expected",
  requires_replan: "A step found out that the plan had to change",
  rejection: "A person threw a step out",
  wave: "The next wave was planned",
  review: "The draft was improved before it ran",
};

export function causeWords(cause: Cause): string {
  return Object.hasOwn(CAUSES, cause) ? CAUSES[cause] : cause;
}

const ASKERS: Readonly<Record<RevisionAsker["kind"], string>> = {
  joiner: "whoever judged the results",
  step: "the step",
  judge: "whoever judged the step",
  person: "a person",
  plan: "the plan itself, as its strategy goes",
  critic: "the critic of the draft",
};

/** Goes on with the step that it is about, where there is one. */
export function askerWords({ kind, name }: RevisionAsker): string {
  return name ?? ASKERS[kind];
}
