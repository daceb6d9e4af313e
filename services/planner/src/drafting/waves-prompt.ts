/** What the planner's model is told when it plans wave after wave. */
import { definePrompt } from "@planwright/shared/prompt";
import { draftMessages } from "./draft-messages.ts";
import type { DraftRequest } from "./draft-request.ts";
import { PLAN_TEXTS } from "./plan-prompt.ts";

/** What is added to the prompt of a plan that comes in waves. */
export const WAVES = `This plan comes in waves. Plan only the next wave: the steps that can be decided on by what is known now. When they have run you are asked for the wave after it, with their results. Plan nothing that depends on what this wave will show.
A wave names no answer as long as another one is to follow. When the goal will be reached with this wave, plan the step that answers it too, and name it as the answer: this ends the waves.`;

/** Asks for the next wave of a plan. */
export const wavesPrompt = definePrompt({
  name: "planner.waves",
  version: 4,
  texts: { ...PLAN_TEXTS, order: WAVES },
  messages: (texts, request: DraftRequest) => draftMessages(request, "json", texts),
});
