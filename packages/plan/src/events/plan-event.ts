/** Every event that a plan's log can contain, and who may write it. */
import { z } from "zod";
import { ApprovalDecided, ApprovalRequested } from "./approval-events.ts";
import { FeedbackGiven } from "./feedback-events.ts";
import { CancelRequested, GoalSubmitted, PauseRequested, ResumeRequested } from "./control-events.ts";
import { DraftAbandoned, DraftStarted, PlanRevised, PlanSealed, StepPlanned } from "./draft-events.ts";
import {
  StepAsked,
  StepExpanded,
  StepFailed,
  StepInterrupted,
  StepSkipped,
  StepStarted,
  StepSucceeded,
  UnitClosed,
} from "./step-events.ts";
import { CallStarted, TurnStarted, TurnTaken } from "./turn-events.ts";
import {
  AnswerDrafted,
  AnswerGiven,
  JoinAbandoned,
  PlanEnded,
  RevisionRequested,
  TimerFired,
} from "./outcome-events.ts";
import { ModelFailed } from "./model-events.ts";
import { NodesValued } from "./search-events.ts";
import { AnswerReviewed, PlanReviewed, StepReviewed } from "./review-events.ts";
import { PlanOutline } from "../view/plan-outline.ts";
import { defineEvent } from "./define-event.ts";
import { PlanTrace, StepRun, Attempt, Item, Usage } from "./values.ts";
import { Forfeit } from "../language/budget.ts";
import { StatePatch } from "../facts/fact.ts";
import { StepId } from "../values/ids.ts";

/** The state patch of one output; only the first stored one counts. */
export const FactRecorded = defineEvent("fact.recorded", {
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  ...StatePatch.shape,
  usage: Usage,
  forfeited: Forfeit.optional(),
  fault: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: "Why no facts could be extracted from the output." }),
}).named(({ stepId, item, attempt }) => `${stepId}/${item}/${attempt}/facts`);
export type FactRecorded = z.infer<typeof FactRecorded>;

/** A user requests another attempt of a step whose work was dead-lettered. */
export const RedriveRequested = defineEvent("redrive.requested", {
  /** The dead-lettered attempt. */
  ...StepRun,
  by: z.string().max(256),
}).named(({ stepId, item, attempt }) => `redrive/${stepId}/${item}/${attempt}`);
export type RedriveRequested = z.infer<typeof RedriveRequested>;

/** Stored events are missing from the plan's log, so its state cannot be trusted. */
export const LogDamaged = defineEvent("log.damaged", {
  reason: z.string().max(2_000),
  by: z.string().max(128).meta({ description: "The service that detected the damage." }),
}).named(() => "log.damaged");
export type LogDamaged = z.infer<typeof LogDamaged>;

/** A request to erase everything stored of an ended plan. From here on, no reader shows the plan. */
export const DeleteRequested = defineEvent("delete.requested", {
  by: z.string().max(128).meta({ description: "The tenant that owns the plan." }),
  trace: PlanTrace,
}).named(() => "delete.requested");
export type DeleteRequested = z.infer<typeof DeleteRequested>;

/**
 * Everything else of the plan has been erased. This event replaces `goal.submitted`, on the same subject, so that a repeated
 * submission is still recognized as a duplicate. It contains nothing of the plan's content.
 */
export const PlanDeleted = defineEvent("plan.deleted", {
  tenant: z.string(),
  trace: PlanTrace.optional().meta({
    description: "Used to find the plan's stored spans; absent if it was unknown.",
  }),
}).named((_data, logEnd: number) => `deleted/${logEnd}`);
export type PlanDeleted = z.infer<typeof PlanDeleted>;

const StreamSequence = z.int().positive();

/**
 * The plan's events are in the archive. This event replaces `goal.submitted`, on the same subject, so that a repeated submission
 * is still recognized as a duplicate. No plan counts it.
 */
export const PlanArchived = defineEvent("plan.archived", {
  firstSequence: StreamSequence.meta({
    description: "Stream sequence numbers of the plan's first and last message.",
  }),
  lastSequence: StreamSequence,
  outline: PlanOutline,
  bodyHash: z.string().meta({ description: "As in `goal.submitted`." }),
  trace: PlanTrace,
}).named(({ lastSequence }) => `archived/${lastSequence}`);
export type PlanArchived = z.infer<typeof PlanArchived>;

export const PlanEvent = z.discriminatedUnion("type", [
  GoalSubmitted,
  CancelRequested,
  PauseRequested,
  ResumeRequested,
  DraftStarted,
  StepPlanned,
  PlanSealed,
  PlanRevised,
  DraftAbandoned,
  StepStarted,
  StepSucceeded,
  StepFailed,
  StepInterrupted,
  StepAsked,
  StepSkipped,
  StepReviewed,
  PlanReviewed,
  StepExpanded,
  UnitClosed,
  AnswerReviewed,
  AnswerDrafted,
  ApprovalRequested,
  ApprovalDecided,
  FactRecorded,
  TurnStarted,
  CallStarted,
  TurnTaken,
  AnswerGiven,
  RevisionRequested,
  JoinAbandoned,
  NodesValued,
  ModelFailed,
  PlanEnded,
  TimerFired,
  PlanArchived,
  DeleteRequested,
  PlanDeleted,
  RedriveRequested,
  LogDamaged,
  FeedbackGiven,
]);
export type PlanEvent = z.infer<typeof PlanEvent>;

export type EventType = PlanEvent["type"];
