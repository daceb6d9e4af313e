/** What the planner's model is told when it plans wave after wave. */
import { definePrompt } from "@planwright/shared/prompt";
import { draftMessages } from "./draft-messages.ts";
import type { DraftRequest } from "./draft-request.ts";
import { PLAN_TEXTS } from "./plan-prompt.ts";

/** What is added to the prompt of a plan that comes in waves. */
export const WAVES = `This plan is written in waves. Plan only the next wave: the steps that can be decided from what is known now, and nothing that depends on what they will show. After they have run, you plan the next wave with their results.
If another wave will follow, this wave has no answer step. If this wave reaches the goal, include the step that answers it as the answer: that ends the waves.`;

/** Asks for the next wave of a plan. */
export const wavesPrompt = definePrompt({
  name: "planner.waves",
  version: 7,
  texts: { ...PLAN_TEXTS, order: WAVES },
  messages: (texts, request: DraftRequest) => draftMessages(request, "json", texts),
});
