import { PlanId, StepId } from "@planwright/plan";

/** What a work message is for, as its subject says it. */
export type WorkAddress =
  | {
      readonly kind: "step";
      readonly pool: string;
      readonly planId: PlanId;
      readonly stepId: StepId;
      readonly item: number;
      /** It is the step's compensation. */
      readonly undo?: true;
      readonly attempt: number;
    }
  | {
      readonly kind: "facts";
      readonly planId: PlanId;
      readonly stepId: StepId;
      readonly item: number;
      readonly attempt: number;
    }
  | { readonly kind: "draft"; readonly planId: PlanId; readonly draft: number }
  | { readonly kind: "join"; readonly planId: PlanId; readonly join: number }
  | {
      readonly kind: "review";
      readonly planId: PlanId;
      readonly stepId: StepId;
      readonly item: number;
      readonly attempt: number;
      readonly review: number;
    }
  | {
      readonly kind: "critique";
      readonly planId: PlanId;
      readonly of: "plan" | "answer";
      readonly draft: number;
      readonly review: number;
    };

/** Undefined when it is no subject that a dispatcher of this version sends work to. */
export function parseWorkSubject(subject: string): WorkAddress | undefined {
  const [work, queue, ...tokens] = subject.split(".");
  if (work !== "work") return undefined;
  if (queue === "step") return stepAddress(tokens);
  if (queue === "facts") return factsAddress(tokens);
  if (queue === "reflect" && tokens.length === 4) return critiqueAddress(tokens);
  if (queue === "reflect" && tokens.length === 5) return reviewAddress(tokens);
  const planId = PlanId.safeParse(tokens[0]);
  const number = positive(tokens[1]);
  if (!planId.success || number === undefined || tokens.length !== 2) return undefined;
  if (queue === "plan") return { kind: "draft", planId: planId.data, draft: number };
  return queue === "reflect" ? { kind: "join", planId: planId.data, join: number } : undefined;
}

function stepAddress([pool, plan, step, itemText, attemptText]: readonly string[]): WorkAddress | undefined {
  const planId = PlanId.safeParse(plan);
  const stepId = StepId.safeParse(step);
  const isUndo = itemText === "undo";
  const [item, attempt] = [isUndo ? 0 : Number(itemText), positive(attemptText)];
  if (pool === undefined || !planId.success || !stepId.success) return undefined;
  if (!Number.isSafeInteger(item) || item < 0 || attempt === undefined) return undefined;
  const address = { kind: "step", pool, planId: planId.data, stepId: stepId.data, item, attempt } as const;
  return isUndo ? { ...address, undo: true } : address;
}

function factsAddress([plan, step, itemText, attemptText]: readonly string[]): WorkAddress | undefined {
  const planId = PlanId.safeParse(plan);
  const stepId = StepId.safeParse(step);
  const [item, attempt] = [Number(itemText), positive(attemptText)];
  if (!planId.success || !stepId.success || attempt === undefined) return undefined;
  if (!Number.isSafeInteger(item) || item < 0) return undefined;
  return { kind: "facts", planId: planId.data, stepId: stepId.data, item, attempt };
}

function reviewAddress([plan, step, itemText, attemptText, reviewText]: readonly string[]):
  | WorkAddress
  | undefined {
  const planId = PlanId.safeParse(plan);
  const stepId = StepId.safeParse(step);
  const [item, attempt, review] = [Number(itemText), positive(attemptText), positive(reviewText)];
  if (!planId.success || !stepId.success || !Number.isSafeInteger(item) || item < 0) return undefined;
  if (attempt === undefined || review === undefined) return undefined;
  return { kind: "review", planId: planId.data, stepId: stepId.data, item, attempt, review };
}

function critiqueAddress([plan, of, draftText, reviewText]: readonly string[]): WorkAddress | undefined {
  const planId = PlanId.safeParse(plan);
  const [draft, review] = [positive(draftText), positive(reviewText)];
  if (!planId.success || draft === undefined || review === undefined) return undefined;
  if (of !== "~plan" && of !== "~answer") return undefined;
  return { kind: "critique", planId: planId.data, of: of === "~plan" ? "plan" : "answer", draft, review };
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
