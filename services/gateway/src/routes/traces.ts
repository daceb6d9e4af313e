import { getTrace, receiveTraces } from "@planwright/api";
import type { FastifyReply } from "fastify";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, sendJson, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { sendProblem } from "../http/create-app.ts";
import { toProblem } from "../http/to-problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { Traces } from "../traces/keep-traces.ts";
import { exportAnswer, OTLP_TYPES, type OtlpFormat, refusal } from "../traces/otlp-answer.ts";
import type { OtlpEncoding } from "../traces/unpack-body.ts";

/** The maximum size as sent; it may be larger when unpacked. */
const OTLP_BYTES_MAX = 16 * 1024 * 1024;

/** `GET /v1/plans/:planId/trace`: the spans of one plan, but not of others that share its trace. */
export async function traceRoutes(
  app: App,
  { book, traces }: { readonly book: PlanBook; readonly traces: Traces },
): Promise<void> {
  await receiveTracesRoute(app, traces);
  serve(app, getTrace, async ({ tenant, params: { planId } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    const { trace } = plan.goal;
    const { traceId, sampled } = trace;
    const { spans, dropped, evicted } = await traces.get({ planId: plan.planId, tenant, trace });
    const head = JSON.stringify({ traceId, sampled, keptSince: traces.since, dropped, evicted });
    // Another thread has serialized the spans.
    void reply.header("cache-control", "no-store");
    return sendJson(reply, `${head.slice(0, -1)},"spans":${spans}}`);
  });
}

type Headers = {
  readonly "content-type"?: string | undefined;
  readonly "content-encoding"?: string | undefined;
};

/**
 * `POST /otlp/v1/traces`: receives the services' spans when no other receiver is set, and spans of other senders. It responds in
 * the format of the request.
 */
async function receiveTracesRoute(app: App, traces: Traces): Promise<void> {
  await app.register(async (scope: App) => {
    // Not parsed here: another thread reads them.
    scope.addContentTypeParser(
      Object.values(OTLP_TYPES),
      { parseAs: "buffer" },
      async (_: unknown, body: Buffer) => body,
    );
    scope.setErrorHandler((error, request, reply) => {
      if (typeOf(request.headers) !== OTLP_TYPES.protobuf) return sendProblem(error, request, reply);
      return refuseInProtobuf(error, reply);
    });
    serve(
      scope,
      receiveTraces,
      async ({ body, headers, sendsSpans, tenant }, reply) => {
        const format = formatOf(headers);
        const content = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const sender = sendsSpans ? undefined : tenant;
        const added = await traces.add({ body: content, format, encoding: encodingOf(headers), sender });
        const sent: FastifyReply = reply;
        return sent.type(OTLP_TYPES[format]).send(exportAnswer(format, added));
      },
      {
        bodyLimit: OTLP_BYTES_MAX,
        onRequest: async ({ headers }) => void [formatOf(headers), encodingOf(headers)],
      },
    );
  });
}

function refuseInProtobuf(error: unknown, reply: FastifyReply): FastifyReply {
  const { status, message, details } = toProblem(error);
  if (details.retryAfterS !== undefined) void reply.header("retry-after", String(details.retryAfterS));
  return reply.code(status).type(OTLP_TYPES.protobuf).send(refusal(message));
}

function typeOf(headers: Headers): string | undefined {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
}

function formatOf(headers: Headers): OtlpFormat {
  const type = typeOf(headers);
  if (type === OTLP_TYPES.json) return "json";
  if (type === OTLP_TYPES.protobuf) return "protobuf";
  const wanted = Object.values(OTLP_TYPES).join(" or ");
  throw new Problem(
    "unsupported_media_type",
    `wanted OTLP as ${wanted}, got ${type ?? "no content type"}: set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`,
  );
}

function encodingOf(headers: Headers): OtlpEncoding {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "gzip") return encoding;
  throw new Problem("unsupported_media_type", `wanted gzip or no encoding, got ${JSON.stringify(encoding)}`);
}
