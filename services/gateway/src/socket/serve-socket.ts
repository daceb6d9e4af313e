/** One WebSocket: every message is answered, or refused with a reason. */
import type { Socket } from "node:net";
import { ClientMessage, MESSAGE_ACCESS, MessageId, type ServerMessage } from "@planwright/api";
import { describeError } from "@planwright/shared/errors";
import { type Redaction, type Redactor, VIEWS } from "@planwright/shared/redaction";
import type { Logger } from "@planwright/shared/service";
import { withSpan } from "@planwright/shared/telemetry";
import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import type { DecideApproval } from "../approvals/decide-approval.ts";
import type { Auditor } from "../audit/auditor.ts";
import type { Authenticated } from "../http/authenticate.ts";
import type { CheckSent } from "../http/check-response.ts";
import { decodeJson } from "../http/decode-json.ts";
import { parsePart } from "../http/parse-part.ts";
import { Problem } from "../http/problem.ts";
import { type RequestSpanDeps, startRequestSpan } from "../http/request-span.ts";
import { requirePermission } from "../http/require-permission.ts";
import { toProblem } from "../http/to-problem.ts";
import type { CancelPlan } from "../plans/cancel-plan.ts";
import type { PausePlan, ResumePlan } from "../plans/pause-plan.ts";
import { refuseReplacements } from "../redaction/redact-answers.ts";
import { sentSubmission } from "../submit/check-submission.ts";
import type { SubmitPlan } from "../submit/submit-plan.ts";
import { keepAlive } from "./keep-alive.ts";
import { noteMessage } from "./note-message.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createSocketWatches, type SocketWatchesDeps, type WatchRequest } from "./socket-watches.ts";

/** Codes from RFC 6455 and its registry. */
const CLOSE_CODES = { goingAway: 1001, policyViolation: 1008, tryAgainLater: 1013 } as const;

const WithId = z.object({ id: MessageId });

/** Maximum number of unanswered requests per socket; above it, the gateway stops reading from the socket. */
export const REQUESTS_OF_A_SOCKET_MAX = 256;
const STOP_GRACE_MS = 1_000;
/** A close frame holds up to 123 bytes. */
const STALLED = "the client did not read for too long: reconnect and watch after the last seq that you have";

const FROM_THE_START: Omit<WatchRequest, "planId"> = { after: 0, as: "events", onAccepted: () => undefined };

export type SocketDeps = {
  readonly book: SocketWatchesDeps["book"];
  readonly redaction: Redaction;
  readonly auditor: Auditor;
  readonly submit: SubmitPlan;
  readonly cancel: CancelPlan;
  readonly pause: PausePlan;
  readonly resume: ResumePlan;
  readonly decide: DecideApproval;
  readonly tracing: RequestSpanDeps;
  readonly now: () => Date;
  readonly log: Logger;
  readonly checkMessage: CheckSent;
  /** How long a client may read nothing. */
  readonly stallMs: number;
  readonly stopping: AbortSignal;
};

type SocketRequest = Authenticated & {
  readonly connection: Socket;
  readonly ip: string;
  readonly traceparent: string | undefined;
  /** Counts a request against the tenant's rate. Rejects with `rate_limited` above it. */
  readonly countRequest: () => Promise<void>;
};

export function serveSocket(socket: WebSocket, request: SocketRequest, deps: SocketDeps): void {
  closeInTime(socket, { stopping: deps.stopping, keyEnded: request.ended });
  const { book, now, stallMs, checkMessage: check } = deps;
  const { connection, tenant } = request;
  const letGo = (): void => {
    deps.log.info({ watches: watches.count }, "closed a WebSocket whose client does not read");
    watches[Symbol.dispose]();
    endSocket(socket, { code: CLOSE_CODES.tryAgainLater, reason: STALLED, graceMs: stallMs });
  };
  keepAlive(socket, { stallMs, onStalled: letGo });
  const outbox = createOutbox(socket, { connection, onFull: letGo, check });
  const redactor = deps.redaction.forRole(request.role);
  const watches = createSocketWatches({ book, outbox, redactor, now, tenant });
  socket.once("close", () => watches[Symbol.dispose]());
  const { answer, settle, refuse, lasts } = createAnswers({ outbox, redactor }, request, deps);

  const handle = async (data: RawData, isBinary: boolean): Promise<void> => {
    let message: unknown;
    try {
      if (isBinary) throw new Problem("invalid_request", "wanted text, got a binary message");
      message = decodeJson(textOf(data));
      refuseReplacements(redactor, message);
      await act(parsePart(ClientMessage, message, "message"));
    } catch (error) {
      await refuse(message, error);
    }
  };

  const act = async (message: ClientMessage): Promise<void> => {
    const { id } = message;
    requirePermission(request, MESSAGE_ACCESS[message.type], message.type);
    deps.auditor.refuseWhenBlocked(request);
    switch (message.type) {
      case "submit": {
        await request.countRequest();
        const accepted = await submitTraced(message, request, deps);
        await settle(message, { type: "accepted", id, ...accepted });
        if (message.watch) lasts(id, watches.watch({ ...FROM_THE_START, planId: accepted.planId }));
        return;
      }
      case "watch":
        lasts(id, watches.watch({ ...message, onAccepted: () => void settle(message, { type: "ok", id }) }));
        return;
      case "unwatch":
        watches.unwatch(message.planId);
        answer({ type: "ok", id });
        return;
      case "watch-plans":
        answer({ type: "ok", id });
        lasts(id, watches.watchPlans());
        return;
      case "unwatch-plans":
        watches.unwatchPlans();
        answer({ type: "ok", id });
        return;
      case "cancel":
      case "pause":
      case "resume":
      case "approve":
      case "reject":
      case "answer":
        await request.countRequest();
        await control(message, request, deps);
        await settle(message, { type: "ok", id });
        return;
      default:
        message satisfies never;
    }
  };

  takeMessages(socket, handle);
}

/** Sends responses once their requests are in the audit log. */
function createAnswers(
  { outbox, redactor }: { readonly outbox: Outbox; readonly redactor: Redactor },
  request: SocketRequest,
  deps: SocketDeps,
) {
  const answer = (message: ServerMessage): void => outbox.send(JSON.stringify(redactor.json(message, VIEWS)));
  const settle = async (message: unknown, reply: ServerMessage): Promise<void> => {
    await noteMessage({ message, answer: reply, request }, deps);
    answer(reply);
  };
  const refuse = async (message: unknown, error: unknown): Promise<void> => {
    const problem = toProblem(error);
    if (problem.status >= 500) deps.log.error({ err: problem.cause ?? error, code: problem.code }, "refused");
    await settle(message, refusalOf(problem, messageIdOf(message)));
  };
  /** A watch keeps running; its message is answered when it starts. */
  const lasts = (id: MessageId, watching: Promise<void>): void =>
    void watching.catch((error: unknown) => {
      const problem = toProblem(error);
      if (problem.status >= 500) deps.log.warn({ reason: describeError(error) }, "disconnected a watcher");
      answer(refusalOf(problem, id));
    });
  return { answer, settle, refuse, lasts };
}

/** Stops reading from a socket while too many of its messages are unanswered. */
function takeMessages(socket: WebSocket, handle: (data: RawData, isBinary: boolean) => Promise<void>): void {
  let open = 0;
  socket.on("message", (data: RawData, isBinary: boolean) => {
    open += 1;
    if (open >= REQUESTS_OF_A_SOCKET_MAX) socket.pause();
    void handle(data, isBinary).finally(() => {
      open -= 1;
      if (socket.isPaused && open < REQUESTS_OF_A_SOCKET_MAX / 2) socket.resume();
    });
  });
}

async function control(
  message: Exclude<ClientMessage, { type: "submit" | "watch" | "unwatch" | "watch-plans" | "unwatch-plans" }>,
  { tenant, identity, role }: SocketRequest,
  deps: SocketDeps,
): Promise<void> {
  const { planId } = message;
  if (message.type === "approve" || message.type === "reject") {
    const { type: decision, approvalId, edits, by, reason } = message;
    await deps.decide({ tenant, identity, role, planId, approvalId, body: { decision, edits, by, reason } });
  } else if (message.type === "answer") {
    const { type: decision, approvalId, answer, by } = message;
    await deps.decide({ tenant, identity, role, planId, approvalId, body: { decision, answer, by } });
  } else if (message.type === "resume") await deps.resume({ tenant, planId, by: identity });
  else await deps[message.type]({ tenant, planId, reason: message.reason, by: identity });
}

async function submitTraced(
  { body, idempotencyKey }: ClientMessage & { type: "submit" },
  { tenant, identity, traceparent }: SocketRequest,
  { submit, tracing }: SocketDeps,
) {
  const attributes = { "http.route": "/v1/ws", "network.protocol.name": "websocket" };
  const span = startRequestSpan(tracing, { name: "submit /v1/ws", traceparent, attributes });
  return withSpan(span, () => submit({ tenant, identity, ...sentSubmission(body), idempotencyKey, span }));
}

function refusalOf({ code, message, details }: Problem, id: MessageId | undefined): ServerMessage {
  return {
    type: "error",
    ...(id === undefined ? {} : { id }),
    code,
    message,
    ...(details.issues === undefined ? {} : { issues: [...details.issues] }),
    ...(details.retryAfterS === undefined ? {} : { retryAfterSeconds: details.retryAfterS }),
  };
}

function closeInTime(
  socket: WebSocket,
  { stopping, keyEnded }: { readonly stopping: AbortSignal; readonly keyEnded: AbortSignal | undefined },
): void {
  closeWhen(stopping, socket, { code: CLOSE_CODES.goingAway, reason: () => "the gateway is stopping" });
  if (keyEnded === undefined) return;
  closeWhen(keyEnded, socket, {
    code: CLOSE_CODES.policyViolation,
    // The reason depends on whether a key, a token or a session has ended.
    reason: () =>
      keyEnded.reason instanceof Problem ? keyEnded.reason.message : "the credentials have ended",
  });
}

function closeWhen(
  signal: AbortSignal,
  socket: WebSocket,
  { code, reason }: { readonly code: number; readonly reason: () => string },
): void {
  const close = (): void => endSocket(socket, { code, reason: reason(), graceMs: STOP_GRACE_MS });
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", close));
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString();
}

/** The id of an otherwise invalid message, so that its refusal can name it. */
function messageIdOf(message: unknown): MessageId | undefined {
  return WithId.safeParse(message).data?.id;
}

/**
 * Ends a connection with a reason. A client that does not read it within the grace period is disconnected anyway, and its
 * buffered messages are dropped.
 */
function endSocket(
  socket: WebSocket,
  { code, reason, graceMs }: { readonly code: number; readonly reason: string; readonly graceMs: number },
): void {
  if (socket.readyState === socket.CLOSED) return;
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), graceMs).unref();
  socket.once("close", () => clearTimeout(timer));
}
