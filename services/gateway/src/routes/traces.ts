import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { Traces } from "../traces/keep-traces.ts";
import { TraceSpan } from "../traces/otlp-request.ts";
import { PlanPath } from "./get-plan.ts";

const OTLP_BYTES_MAX = 16 * 1024 * 1024;
const Trace = z.object({ traceId: z.string(), sampled: z.boolean(), spans: z.array(TraceSpan) });

/**
 * `POST /otlp/v1/traces`: where the services send their spans when nobody named another receiver.
 * `GET /v1/plans/:planId/trace`: the spans of one plan, and of none that shares its trace.
 */
export async function traceRoutes(
  app: FastifyInstance,
  { book, traces }: { readonly book: PlanBook; readonly traces: Traces },
): Promise<void> {
  const receive = { summary: "Receive spans (OTLP/HTTP, JSON)", tags: ["traces"] };
  await app.register(async (scope) => {
    // Left as it came: another thread reads it.
    scope.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (_: unknown, body: Buffer) => body,
    );
    scope.post<{ Body: Buffer | undefined }>(
      "/otlp/v1/traces",
      {
        schema: receive,
        bodyLimit: OTLP_BYTES_MAX,
        onRequest: async ({ headers }) => refuseOtherEncodings(headers),
      },
      async ({ body }) => {
        await traces.add(body ?? new Uint8Array());
        return {};
      },
    );
  });

  const schema = {
    summary: "The trace of one plan",
    tags: ["plans"],
    params: PlanPath,
    response: { 200: Trace },
  };
  app.get("/v1/plans/:planId/trace", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const plan = await ownPlan(book, { tenant: request.tenant, planId });
    const { trace } = plan.goal;
    const { traceId, sampled } = trace;
    const spans = await traces.get({ planId: plan.planId, trace });
    return reply
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(`{"traceId":"${traceId}","sampled":${sampled},"spans":${spans}}`);
  });
}

function refuseOtherEncodings(headers: {
  readonly "content-type"?: string | undefined;
  readonly "content-encoding"?: string | undefined;
}): void {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Problem(
      "unsupported_media_type",
      `wanted OTLP as application/json, got ${type ?? "no content type"}: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json`,
    );
  }
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return;
  throw new Problem("unsupported_media_type", `wanted an uncompressed body, got ${JSON.stringify(encoding)}`);
}
