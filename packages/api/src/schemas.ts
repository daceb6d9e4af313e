/** The schemas that have a name in the reference: each is a component of `/openapi.json` by this name. */
import {
  Answer,
  ApprovalView,
  ArtifactRef,
  AuditBreak,
  AuditEntry,
  Issue,
  PlanDocument,
  PlanEvent,
  PlanView,
  Step,
  StepView,
  Submission,
  ToolSpec,
  Usage,
} from "@planwright/plan";
import type { z } from "zod";
import { DecisionBody, PendingApproval, PendingApprovals } from "./approvals.ts";
import { ArtifactList } from "./artifacts.ts";
import { DataSources, SourceFromConfig, SourceInfo } from "./data.ts";
import {
  DeadLetter,
  DeadLetterDetail,
  DeadLetterGroup,
  DeadLetterPage,
  DiscardedMany,
  Retried,
  RetriedMany,
  WhichDeadLetters,
} from "./dead-letters.ts";
import { EventPage, NumberedEvent } from "./events.ts";
import { CreatedKey, CreateKeyBody, KeyInfo, KeyList } from "./keys.ts";
import { Metrics, PlanMetrics } from "./metrics.ts";
import { Caller, SignedOut, SignInOptions } from "./sign-in.ts";
import { Accepted } from "./plan-ids.ts";
import { PlanCount, PlanCounts, PlanPage, PlanSummary } from "./plan-list.ts";
import {
  CancelBody,
  Cancelled,
  Deleting,
  Feedback,
  FeedbackBody,
  PauseBody,
  PlanState,
  ResumeBody,
} from "./plans.ts";
import { FieldIssue, ProblemBody } from "./problems.ts";
import { ClientMessage, ServerMessage } from "./stream.ts";
import { CheckBody, ForkBody, PlanCheck, Preview, RerunBody, SubmissionBody } from "./submissions.ts";
import { Alive, ModelCheck, ModelChecks, OpenApi, Ready, System } from "./system.ts";
import { AgentInfo, Tools } from "./tools.ts";
import { OtlpAnswer, Span, Trace } from "./traces.ts";
import { Quota, QuotaList } from "./quotas.ts";
import { PoolQueue, Worker, Workers } from "./workers.ts";

export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Accepted,
  AgentInfo,
  Alive,
  Answer,
  ApprovalView,
  ArtifactList,
  ArtifactRef,
  AuditBreak,
  AuditEntry,
  Caller,
  CancelBody,
  Cancelled,
  Deleting,
  CheckBody,
  ClientMessage,
  CreatedKey,
  CreateKeyBody,
  DataSources,
  DeadLetter,
  DeadLetterDetail,
  DeadLetterGroup,
  DeadLetterPage,
  DecisionBody,
  DiscardedMany,
  EventPage,
  Feedback,
  FeedbackBody,
  FieldIssue,
  ForkBody,
  Issue,
  KeyInfo,
  KeyList,
  Metrics,
  ModelCheck,
  ModelChecks,
  NumberedEvent,
  OpenApi,
  OtlpAnswer,
  PauseBody,
  PendingApproval,
  PendingApprovals,
  PlanCheck,
  PlanCount,
  PlanCounts,
  PlanDocument,
  PlanEvent,
  PlanMetrics,
  PlanPage,
  PlanState,
  PlanSummary,
  PlanView,
  PoolQueue,
  Preview,
  ProblemBody,
  Ready,
  RerunBody,
  ResumeBody,
  Quota,
  QuotaList,
  Retried,
  RetriedMany,
  ServerMessage,
  SignedOut,
  SignInOptions,
  SourceFromConfig,
  SourceInfo,
  Span,
  Step,
  StepView,
  Submission,
  SubmissionBody,
  System,
  Tools,
  ToolSpec,
  Trace,
  Usage,
  WhichDeadLetters,
  Worker,
  Workers,
};
