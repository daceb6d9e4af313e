import { isEnded, PlanEvent, type PlanId } from "@planwright/plan";
import { describeError } from "@planwright/shared/errors";
import type { FastifyInstance, FastifyReply } from "fastify";
import { once } from "node:events";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { EVENT_STREAM_HEADERS, sendEventStream } from "../http/event-stream.ts";
import { parsePart } from "../http/parse-part.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { PlanPath } from "./get-plan.ts";

const Seq = z.coerce.number().pipe(z.int().nonnegative());
const Query = z.object({
  after: Seq.default(0).meta({ description: "The number of the last fact already known." }),
  limit: z.coerce.number().pipe(z.int().min(1).max(10_000)).default(1_000),
});
const Headers = z.object({
  accept: z.string().optional(),
  "last-event-id": Seq.optional().meta({ description: "As `after`; goes before it." }),
});
const Page = z.object({
  planId: z.string(),
  events: z.array(z.object({ seq: z.int(), event: PlanEvent })),
  nextAfter: z
    .int()
    .optional()
    .meta({ description: "Pass it as `after`; absent when nothing more is there." }),
});

/** `GET /v1/plans/:planId/events`: a plan's facts, live as server-sent events or as JSON pages. */
export function planEventsRoute(
  app: FastifyInstance,
  {
    book,
    stallMs,
    stopping,
  }: {
    readonly book: PlanBook;
    /** How long a reader may read nothing. */
    readonly stallMs: number;
    readonly stopping: AbortSignal;
  },
): void {
  const schema = {
    summary: "The facts of one plan",
    description:
      "Server-sent events, each with the fact's number as id, until the plan has ended; a JSON page with `Accept: application/json`.",
    tags: ["plans"],
    params: PlanPath,
    querystring: Query,
    headers: Headers,
    response: { 200: Page, 204: z.null().meta({ description: "Nothing more will come." }) },
  };
  app.get("/v1/plans/:planId/events", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const query = parsePart(Query, request.query, "query");
    const headers = parsePart(Headers, request.headers, "headers");
    const plan = await ownPlan(book, { tenant: request.tenant, planId });
    const after = headers["last-event-id"] ?? query.after;
    if (wantsPage(headers.accept)) {
      const page = { planId: plan.planId, after, limit: query.limit };
      return reply
        .header("cache-control", "no-store")
        .type("application/json")
        .send(await pageText(book, page));
    }
    // Nothing more will ever come: 204 is what tells an EventSource not to ask again.
    if (isEnded(plan) && after >= plan.seq) return reply.code(204).send();
    book.refuseWatcherAbove(plan.planId);
    return stream(reply, { book, planId: plan.planId, after, stallMs, stopping });
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
    planId,
    after,
    stallMs,
    stopping,
  }: { book: PlanBook; planId: PlanId; after: number; stallMs: number; stopping: AbortSignal },
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, stopping]);
  const facts = book.watch({ planId, after, signal });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200, EVENT_STREAM_HEADERS);
  reply.raw.flushHeaders();
  try {
    const onStalled = (): void => reply.log.info({ planId }, "a stream that is not read from is cut off");
    await sendEventStream(reply.raw, facts, { stallMs, onStalled });
  } catch (error) {
    if (!signal.aborted) reply.log.warn({ planId, reason: describeError(error) }, "a watcher was let go");
  }
  if (!reply.raw.closed) await once(reply.raw, "close");
  return reply;
}

/** A page only for who asks for JSON and not for a stream. */
function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes("application/json") && !accept.includes("text/event-stream");
}
