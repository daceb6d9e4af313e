import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { getEvents } from "@planwright/api";
import { isEnded, type PlanId } from "@planwright/plan";
import { describeError } from "@planwright/shared/errors";
import type { Redaction, Redactor } from "@planwright/shared/redaction";
import type { FastifyReply } from "fastify";
import { notedOf } from "../audit/audit-requests.ts";
import type { Auditor } from "../audit/auditor.ts";
import type { PlanBook } from "../book/plan-book.ts";
import type { CheckSent } from "../http/check-response.ts";
import { type App, sendJson, serve } from "../http/contract.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { type ShownEvent, shownEvents } from "../redaction/redact-events.ts";

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1_000;
const PIECE_CHARS = 16 * 1024;

const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Keeps proxies from buffering the response, which would stall a live view.
  "x-accel-buffering": "no",
} as const;

/** `GET /v1/plans/:planId/events`: a plan's events, live as server-sent events or as JSON pages. */
export function planEventsRoute(
  app: App,
  {
    book,
    redaction,
    auditor,
    stallMs,
    stopping,
    check,
  }: {
    readonly book: PlanBook;
    readonly redaction: Redaction;
    readonly auditor: Auditor;
    /** How long a client may read nothing. */
    readonly stallMs: number;
    readonly stopping: AbortSignal;
    readonly check: CheckSent;
  },
): void {
  serve(app, getEvents, async (request, reply) => {
    const { tenant, role, keyEnded, params, query, headers } = request;
    const plan = await ownPlan(book, { tenant, planId: params.planId });
    const { planId } = plan;
    const after = headers["last-event-id"] ?? query.after;
    if (wantsPage(headers.accept)) {
      void reply.header("cache-control", "no-store");
      return sendJson(reply, await pageText(book, { planId, after, limit: query.limit }));
    }
    // Nothing more will follow: 204 makes an EventSource stop.
    if (isEnded(plan) && after >= plan.seq) return reply.code(204).send();
    book.refuseWatcherAbove(planId);
    // Recorded here because the response is written to the raw connection.
    await auditor.note(notedOf(request, { outcome: "done" }));
    const ending = endingOf(stopping, keyEnded);
    return stream(reply, { book, redactor: redaction.forRole(role), planId, after, stallMs, ending, check });
  });
}

async function pageText(
  book: PlanBook,
  options: { planId: PlanId; after: number; limit: number },
): Promise<string> {
  const { facts, more } = await book.page(options);
  const events = facts.map(({ seq, json }) => `{"seq":${seq},"event":${json}}`).join(",");
  const next = more ? `,"nextAfter":${facts.at(-1)?.seq ?? options.after}` : "";
  return `{"planId":${JSON.stringify(options.planId)},"events":[${events}]${next}}`;
}

async function stream(
  reply: FastifyReply,
  {
    book,
    redactor,
    planId,
    after,
    stallMs,
    ending,
    check,
  }: {
    book: PlanBook;
    redactor: Redactor;
    planId: PlanId;
    after: number;
    stallMs: number;
    ending: readonly AbortSignal[];
    check: CheckSent;
  },
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, ...ending]);
  const facts = shownEvents(book.watch({ planId, after, signal }), redactor);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200, EVENT_STREAM_HEADERS);
  reply.raw.flushHeaders();
  try {
    const onStalled = (): void =>
      reply.log.info({ planId }, "closed an event stream whose client does not read");
    await sendEventStream(reply.raw, facts, { stallMs, onStalled, check });
  } catch (error) {
    if (!signal.aborted) reply.log.warn({ planId, reason: describeError(error) }, "disconnected a watcher");
  }
  if (!reply.raw.closed) await once(reply.raw, "close");
  return reply;
}

/** Aborts a stream for reasons other than its reader leaving: the gateway stops, or the key is revoked or expires. */
function endingOf(stopping: AbortSignal, keyEnded: AbortSignal | undefined): AbortSignal[] {
  return keyEnded === undefined ? [stopping] : [stopping, keyEnded];
}

/** True only for clients that accept JSON and not a stream. */
function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes("application/json") && !accept.includes("text/event-stream");
}

/**
 * Sends events until there are no more, at the reader's pace, and ends the response. A reader that stops reading is disconnected;
 * it can resume after its last id.
 *
 * @param options.stallMs - How long a reader may read nothing.
 * @param options.check - Called with each event before it is sent.
 * @throws Whatever `facts` throws, after ending the response.
 */
async function sendEventStream(
  response: ServerResponse,
  facts: AsyncIterable<readonly ShownEvent[]>,
  options: Patience & { readonly check: CheckSent },
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (response.writableLength === 0) response.write(": still here\n\n");
  }, HEARTBEAT_MS);
  try {
    response.write(`retry: ${RETRY_MS}\n\n`);
    for await (const portion of facts) {
      for (const { json } of portion) options.check(json);
      for (const piece of piecesOf(portion)) {
        if (!response.write(piece)) await drained(response, options);
        if (response.destroyed) return;
      }
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** Groups small events, so that each does not cost a separate write. */
function* piecesOf(facts: readonly ShownEvent[]): Generator<string> {
  let piece = "";
  for (const { seq, json } of facts) {
    piece += `id: ${seq}\ndata: ${json}\n\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

type Patience = { readonly stallMs: number; readonly onStalled: () => void };

async function drained(response: ServerResponse, { stallMs, onStalled }: Patience): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const stalled = setTimeout(() => {
    onStalled();
    response.destroy();
  }, stallMs);
  try {
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    clearTimeout(stalled);
    waiting.abort();
  }
}
