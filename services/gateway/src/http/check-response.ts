/**
 * Validates responses against their schemas before they are sent.
 *
 * A response that does not fit is a fault of the gateway, never of the client. In tests it fails: the client gets status 500. In
 * production it is logged and counted, but still sent: a client that can read the rest of a plan's view is better off than one
 * that can neither see nor cancel the plan.
 */
import { PROBLEM_TYPE, problemsOf, ProblemBody } from "@planwright/api";
import type { Logger } from "@planwright/shared/service";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { Problem, problemBody } from "./problem.ts";

/** In production, longer responses are not checked: that would delay other requests. */
const CHECKED_CHARS_MAX = 64 * 1024;

export type ResponseCheck = {
  /** Whether a response that does not fit is replaced by status 500. */
  readonly strict: boolean;
  readonly log: Logger;
};

type Described = { readonly Schema: z.ZodType; readonly what: string };

type CheckResponse = {
  /** Serializes a response as JSON. */
  serialize(value: unknown, described: Described): string;
  /** When strict, also validates refusals and responses that are sent as text. */
  watch(app: FastifyInstance): void;
};

export function createCheckResponse({ strict, log }: ResponseCheck): CheckResponse {
  const fault = (what: string, reason: string): void => {
    if (strict) throw new Error(`${what} does not fit its schema: ${reason}`);
    log.error({ what, reason }, "response does not match its schema");
  };
  return {
    serialize(value, { Schema, what }) {
      // Not the schema's output, which is the same but takes many times as long to serialize.
      const text = JSON.stringify(value);
      if (!strict && text.length > CHECKED_CHARS_MAX) return text;
      const parsed = Schema.safeParse(value);
      if (!parsed.success) fault(what, parsed.error.message);
      else if (strict && !isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), JSON.parse(text))) {
        fault(what, `it has more than the schema names: ${text.slice(0, 2_000)}`);
      }
      return text;
    },
    watch(app) {
      if (!strict) return;
      app.addHook("onSend", async (request, reply, payload) => {
        const type = String(reply.getHeader("content-type") ?? "");
        if (typeof payload !== "string") return payload;
        try {
          checkText({ request, status: reply.statusCode, type, text: payload });
          return payload;
        } catch (err) {
          log.error({ err }, "response does not match its schema");
          // Not thrown: while sending a refusal, the framework would discard its status.
          reply.code(500).type(PROBLEM_TYPE).removeHeader("content-length");
          return JSON.stringify(problemBody(new Problem("internal", String(err))));
        }
      });
    },
  };
}

/** Called with each text sent over a stream or a socket. */
export type CheckSent = (text: string) => void;

/** @throws {Error} From the returned function, when strict: the text does not fit the schema. */
export function createCheckSent({ Schema, what }: Described, { strict }: { strict: boolean }): CheckSent {
  if (!strict) return () => undefined;
  return (text) => {
    const parsed = Schema.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(`${what} does not fit its schema: ${parsed.error.message}`);
  };
}

function checkText({
  request,
  status,
  type,
  text,
}: {
  readonly request: FastifyRequest;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}): void {
  const { endpoint } = request.routeOptions.config;
  if (endpoint === undefined || request.method === "HEAD") return;
  const what = `${endpoint.id} ${status}`;
  if (type.startsWith(PROBLEM_TYPE)) {
    const { code } = ProblemBody.parse(JSON.parse(text));
    if (problemsOf(endpoint).includes(code)) return;
    throw new Error(`${what}: its endpoint does not say that it refuses with ${code}`);
  }
  const content = endpoint.responses[status];
  if (content === undefined) throw new Error(`${what}: its endpoint does not name this status`);
  if (content === null) return;
  if ("mediaTypes" in content) {
    if (content.mediaTypes.some((known) => type.startsWith(known))) return;
    throw new Error(`${what}: its endpoint does not name the content type ${type}`);
  }
  const value: unknown = JSON.parse(text);
  const parsed = content.safeParse(value);
  if (!parsed.success) throw new Error(`${what} does not fit its schema: ${parsed.error.message}`);
}
