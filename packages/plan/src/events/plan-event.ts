/** Every fact that a plan's log can hold, and who may write it. */
import { z } from "zod";
import { PlanArchived } from "./archive-events.ts";
import { DeleteRequested, PlanDeleted } from "./deletion-events.ts";
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
import { FactRecorded } from "./fact-events.ts";
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
import { LogDamaged, RedriveRequested } from "./repair-events.ts";

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
