import { PROBLEM_TYPE, ProblemBody } from "@planwright/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Auditor } from "./auditor.ts";

/** The parts of a request body to record: choices, never content. */
const Chosen = z.object({
  decision: z.string().optional(),
  name: z.string().optional(),
  role: z.string().optional(),
  fromStep: z.string().optional(),
  group: z.string().optional(),
});
/** The part of a response to record: the id of the created object. */
const Made = z.object({ planId: z.string().optional(), id: z.string().optional() });
const Fields = z.record(z.string(), z.unknown());

/** Records each response before it is sent. Must be registered before any route. */
export function auditRequests(app: FastifyInstance, auditor: Auditor): void {
  app.addHook("preValidation", async (request) => auditor.refuseWhenBlocked(request));
  app.addHook("onSend", async (request, reply, payload) => {
    await auditor.note(
      notedOf(request, { outcome: outcomeOf(reply, payload), made: madeBy(reply, payload) }),
    );
    return payload;
  });
}

/** A request as recorded in the audit log. */
export function notedOf(
  request: FastifyRequest,
  { outcome, made = {} }: { readonly outcome: string; readonly made?: Readonly<Record<string, unknown>> },
) {
  const { tenant, identity, role, ip, routeOptions, params, body, query } = request;
  const named = Fields.safeParse(query).data?.["name"];
  return {
    caller: { tenant, identity, role },
    action: routeOptions.config.endpoint?.id ?? "",
    via: "http" as const,
    on: {
      ...(named === undefined ? {} : { name: named }),
      ...Chosen.safeParse(body).data,
      ...Fields.safeParse(params).data,
      ...made,
    },
    from: ip,
    outcome,
  };
}

function outcomeOf(reply: FastifyReply, payload: unknown): string {
  if (reply.statusCode < 400) return "done";
  const isProblem = String(reply.getHeader("content-type") ?? "").startsWith(PROBLEM_TYPE);
  const problem =
    isProblem && typeof payload === "string" ? ProblemBody.safeParse(JSON.parse(payload)) : undefined;
  return problem?.data?.code ?? String(reply.statusCode);
}

/** The accepted plan or created key. */
function madeBy(reply: FastifyReply, payload: unknown): Readonly<Record<string, unknown>> {
  if (![201, 202].includes(reply.statusCode) || typeof payload !== "string") return {};
  return Made.safeParse(JSON.parse(payload)).data ?? {};
}
