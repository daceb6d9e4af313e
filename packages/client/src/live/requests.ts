/** Requests over the WebSocket that wait for their answers: watches, and submissions. */
import type { Accepted, ServerMessage, SubmissionInput } from "@planwright/api";
import { ConnectionError, ProblemError, RequestTimeoutError } from "../errors.ts";
import type { EventListener, Watches } from "./watches.ts";

/** Submissions that wait for their answers. */
const SUBMISSIONS_MAX = 10_000;
const RETRY_MS_MIN = 5_000;

export type LiveSubmission = {
  readonly body: SubmissionInput;
  readonly idempotencyKey: string;
  readonly listener: EventListener | undefined;
  readonly timeoutMs: number;
};

type Pending = LiveSubmission & {
  readonly accept: (accepted: Accepted) => void;
  readonly fail: (error: Error) => void;
};

type Refusal = Extract<ServerMessage, { readonly type: "error" }>;

export type Requests = {
  readonly submit: (submission: LiveSubmission) => Promise<Accepted>;
  /** Remembers the id of a watch that was sent, for a refusal of it. */
  readonly watched: (id: string, planId: string) => void;
  readonly receive: (message: ServerMessage) => void;
  /** The connection is a new one: requests without a response are sent again, with the same Idempotency-Key. */
  readonly resume: () => void;
  readonly isEmpty: () => boolean;
  readonly fail: (error: Error) => void;
};

export type RequestsDeps = {
  readonly watches: Pick<Watches, "adopt" | "refuse" | "again">;
  readonly sendSubmission: (id: string, submission: LiveSubmission) => void;
  readonly wait: (delayMs: number, callback: () => void) => () => void;
};

export function createRequests({ watches, sendSubmission, wait }: RequestsDeps): Requests {
  /** Plans by the id of the watch that was sent. */
  let watched = new Map<string, string>();
  const pending = new Map<string, Pending>();
  let submissions = 0;
  const sendAgain = (id: string): void => {
    const submission = pending.get(id);
    if (submission !== undefined) sendSubmission(id, submission);
  };
  const refuseWatch = (planId: string, refusal: Refusal): void => {
    if (refusal.retryAfterSeconds === undefined) return watches.refuse(planId, problemOf(refusal));
    const asked = watched;
    wait(Math.max(RETRY_MS_MIN, refusal.retryAfterSeconds * 1_000), () => {
      if (asked === watched) watches.again(planId);
    });
  };
  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        if (pending.size >= SUBMISSIONS_MAX) {
          throw new ConnectionError(
            `${SUBMISSIONS_MAX} submissions have no response yet: wait for some of them`,
          );
        }
        submissions += 1;
        const id = `s${submissions}`;
        const { timeoutMs } = submission;
        const over = wait(timeoutMs, () => {
          pending.delete(id);
          reject(
            new RequestTimeoutError(`the submission was not answered within ${timeoutMs} ms`, timeoutMs),
          );
        });
        const settle = (): void => {
          over();
          pending.delete(id);
        };
        const accept = (accepted: Accepted): void => (settle(), resolve(accepted));
        const fail = (error: Error): void => (settle(), reject(error));
        pending.set(id, { ...submission, accept, fail });
        sendAgain(id);
      }),
    watched: (id, planId) => void watched.set(id, planId),
    receive: (message) => {
      if (message.type === "accepted") {
        const submission = pending.get(String(message.id));
        if (submission === undefined) return;
        // Before the next message is read, which may be the plan's first event.
        if (submission.listener !== undefined) watches.adopt(message.planId, submission.listener);
        submission.accept({ planId: message.planId, traceId: message.traceId });
      } else if (message.type === "ok" || message.type === "error") {
        const id = String(message.id ?? "");
        const planId = watched.get(id);
        watched.delete(id);
        if (message.type === "ok") return;
        if (planId !== undefined) refuseWatch(planId, message);
        else pending.get(id)?.fail(problemOf(message));
      }
    },
    resume: () => {
      watched = new Map();
      for (const id of Array.from(pending.keys())) sendAgain(id);
    },
    isEmpty: () => pending.size === 0,
    fail: (error) => {
      for (const submission of Array.from(pending.values())) submission.fail(error);
    },
  };
}

function problemOf({ code, message, issues, retryAfterSeconds }: Refusal): ProblemError {
  return new ProblemError({ code, status: 0, title: message, detail: message, issues, retryAfterSeconds });
}
