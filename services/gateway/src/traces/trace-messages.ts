/** What the gateway and the thread that keeps its traces say to each other. */
import type { PlanId, PlanTrace } from "@planwright/plan";
import type { FieldIssue, ProblemCode } from "../http/problem.ts";

export type TraceQuestion =
  /** The body of an OTLP request. */
  | { readonly kind: "add"; readonly body: Uint8Array }
  | { readonly kind: "get"; readonly planId: PlanId; readonly trace: PlanTrace };

export type TraceRequest = { readonly id: number; readonly question: TraceQuestion };

export type TraceOutcome =
  | { readonly kind: "added" }
  /** A JSON list. */
  | { readonly kind: "spans"; readonly json: string }
  | {
      readonly kind: "refused";
      readonly code: ProblemCode;
      readonly message: string;
      readonly issues: readonly FieldIssue[] | undefined;
    };

export type TraceReply = {
  /** The request's. */
  readonly id: number;
  /** How many spans are kept now. */
  readonly spanCount: number;
  readonly outcome: TraceOutcome;
};
