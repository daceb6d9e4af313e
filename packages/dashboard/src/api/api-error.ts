import {
  ConnectionError,
  type FieldIssue,
  PlanwrightError,
  ProblemError,
  UnexpectedResponseError,
} from "@planwright/client";
import { API_ERROR } from "../ui/ui-words.ts";

/** An error for display: a refusal by the gateway, an unreachable gateway, or a bug in the page. */
export type ApiError = {
  readonly message: string;
  /** Stable, for programs; `unreachable` when there was no response. */
  readonly code: string;
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** The errors in detail, one line each, if the gateway lists them. */
  readonly issues: readonly string[];
};

/** Converts anything thrown into an error for display. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ProblemError) {
    const { message, code, status, issues } = error;
    return { message, code, status, issues: linesOf(issues) };
  }
  const code = error instanceof PlanwrightError ? error.code : "unexpected";
  const status = error instanceof UnexpectedResponseError ? error.status : 0;
  return { message: messageOf(error), code, status, issues: [] };
}

function messageOf(error: unknown): string {
  // The unreachable address is the page's own.
  if (error instanceof ConnectionError) return API_ERROR.unreachable;
  return error instanceof Error ? error.message : String(error);
}

const ISSUES_MAX = 20;

/** The first errors that a response lists, one line each: the step, the field and the problem. */
export function linesOf(issues: readonly FieldIssue[]): string[] {
  const lines = issues.slice(0, ISSUES_MAX).map(({ stepId, field, message }) => {
    const place = [stepId, field].filter(Boolean).join(" · ");
    return place === "" ? message : `${place}: ${message}`;
  });
  // Show a repeated error once.
  return [...new Set(lines)];
}
