/** What the planner's model is told when its plan hands parts of the goal to plans of their own. */
import { definePrompt } from "@planwright/shared/prompt";
import { draftMessages } from "./draft-messages.ts";
import type { DraftRequest } from "./draft-request.ts";
import { PLAN_TEXTS } from "./plan-prompt.ts";

/** What is added to the prompt of a plan that may have sub-plans. */
export const HIERARCHICAL = `This plan is one level of a hierarchy. Where the goal has parts that are goals of their own, each with several steps, hand each part to a step with plan.run: {"goal": the part, in words}. That part is planned by itself, and may be divided again. Its planner knows nothing but those words: say in them all that it needs, and put in results of other steps as {{s1.output.text}}. Parts that do not need each other run at the same time.
A goal that does not divide into such parts is a leaf: write its steps with the other tools, without plan.run. A part must be smaller than the goal; never hand on the goal itself.`;

/** Asks for one level of a hierarchy of plans. */
export const hierarchicalPrompt = definePrompt({
  name: "planner.hierarchical",
  version: 4,
  texts: { ...PLAN_TEXTS, order: HIERARCHICAL },
  messages: (texts, request: DraftRequest) => draftMessages(request, "json", texts),
});
