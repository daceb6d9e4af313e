import {
  ConnectionError,
  type FieldIssue,
  PlanwrightError,
  ProblemError,
  UnexpectedResponseError,
} from "@planwright/client";
import { API_ERROR } from "../ui/ui-words.ts";

/** What went wrong, as it is shown: a refusal of the gateway, a gateway that did not answer, a fault of the page. */
export type ApiError = {
  readonly message: string;
  /** Stable, for programs; `unreachable` when there was no answer. */
  readonly code: string;
  /** Of HTTP; 0 when there was no answer. */
  readonly status: number;
  /** What exactly is wrong, one line each, when the gateway says so. */
  readonly issues: readonly string[];
};

/** Whatever was thrown, as something that can be shown. */
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
  // The address that did not answer is the page's own.
  if (error instanceof ConnectionError) return API_ERROR.unreachable;
  return error instanceof Error ? error.message : String(error);
}

const ISSUES_MAX = 20;

/** The first faults that an answer lists, a line each: the step, the field and what is wrong. */
export function linesOf(issues: readonly FieldIssue[]): string[] {
  const lines = issues.slice(0, ISSUES_MAX).map(({ stepId, field, message }) => {
    const place = [stepId, field].filter(Boolean).join(" · ");
    return place === "" ? message : `${place}: ${message}`;
  });
  // Said twice, a fault is one line.
  return [...new Set(lines)];
}
