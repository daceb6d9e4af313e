/** The prompt of the planner's model when its plan hands parts of the goal to sub-plans. */
import { definePrompt } from "@planwright/shared/prompt";
import { draftMessages } from "./draft-messages.ts";
import type { DraftRequest } from "./draft-request.ts";
import { PLAN_TEXTS } from "./plan-prompt.ts";

/** What is added to the prompt of a plan that may have sub-plans. */
export const HIERARCHICAL = `This plan is one level of a hierarchy. If the goal has parts that need several steps each, delegate each part to a plan.run step: {"goal": the part}. It is planned separately and may be divided again. Include everything its planner needs, with results of other steps as {{s1.output.text}}.
If the goal has no such parts, use the other tools and no plan.run. Never delegate the whole goal.`;

/** Asks for one level of a hierarchy of plans. */
export const hierarchicalPrompt = definePrompt({
  name: "planner.hierarchical",
  version: 7,
  texts: { ...PLAN_TEXTS, order: HIERARCHICAL },
  messages: (texts, request: DraftRequest) => draftMessages(request, "json", texts),
});
