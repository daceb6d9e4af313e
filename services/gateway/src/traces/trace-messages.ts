/** The messages between the gateway and the thread that keeps its traces. */
import type { FieldIssue, ProblemCode } from "@planwright/api";
import type { OtlpFormat } from "./otlp-answer.ts";
import type { OwnTrace } from "./own-spans.ts";
import type { KeptFigures, Sender } from "./trace-store.ts";
import type { OtlpEncoding } from "./unpack-body.ts";

/** The body of an OTLP request, as it came. */
export type OtlpBody = {
  readonly body: Uint8Array;
  readonly format: OtlpFormat;
  readonly encoding: OtlpEncoding;
  readonly sender: Sender;
};

export type TraceQuestion =
  | ({ readonly kind: "add" } & OtlpBody)
  | ({ readonly kind: "get" | "forget" } & OwnTrace);

export type TraceRequest = { readonly id: number; readonly question: TraceQuestion };

export type TraceOutcome =
  | ({ readonly kind: "added" } & Added)
  | ({ readonly kind: "spans" } & KeptTrace)
  | { readonly kind: "forgotten" }
  | ({ readonly kind: "refused" } & Refusal);

export type Refusal = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly issues: readonly FieldIssue[] | undefined;
};

/** How much of a request was not kept, and why; nothing as a rule. */
export type Added = { readonly rejected: number; readonly message: string };

/** The kept spans of one plan. */
export type KeptTrace = {
  /** A JSON list, in the order of their beginnings. */
  readonly spans: string;
  /** Spans of the plan's trace that were not kept, because it has too many. */
  readonly dropped: number;
  /** Its trace was let go to make room for others. */
  readonly evicted: boolean;
};

export type TraceReply = {
  /** The request's. */
  readonly id: number;
  readonly figures: KeptFigures;
  readonly outcome: TraceOutcome;
};
