/** Redacts every HTTP response before it is sent, by the rules that apply to the caller's role. */
import { parseExact, type Redaction, type Redactor, VIEWS } from "@planwright/shared/redaction";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { setImmediate } from "node:timers/promises";
import { Problem } from "../http/problem.ts";

/**
 * Responses that are not redacted, because they contain nothing of plans or must arrive unchanged: a new key, the audit log with
 * its hashes, the schemas of tools. Those of the WebSocket and of MCP are redacted where they are made.
 */
const PLAIN: ReadonlySet<string> = new Set([
  "createKey",
  "listKeys",
  "exportAudit",
  "getMe",
  "getSignInOptions",
  "signOut",
  "listTools",
  "getPrometheusMetrics",
  "getHealth",
  "getReadiness",
  "getOpenApi",
  "getReference",
  "callMcp",
  "openSocket",
  "receiveTraces",
]);
/** How long one response may block other requests. */
const TURN_MS = 10;

/** Register it before the check of responses, so that the check sees the redacted ones. */
export function redactAnswers(app: FastifyInstance, redaction: Redaction): void {
  if (!redaction.isActive) return;
  app.addHook("preValidation", async ({ role, body }) => {
    if (!Buffer.isBuffer(body)) refuseReplacements(redaction.forRole(role), body);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const redactor = redactorFor(request, redaction);
    if (redactor === undefined || typeof payload !== "string") return payload;
    return /\bjson\b/.test(typeOf(reply)) ? redactBody(payload, redactor) : redactor.text(payload);
  });
}

/** Undefined where no values are hidden. */
function redactorFor({ routeOptions, role }: FastifyRequest, { forRole }: Redaction): Redactor | undefined {
  const { endpoint } = routeOptions.config;
  const redactor = forRole(role);
  return endpoint === undefined || PLAIN.has(endpoint.id) || !redactor.isActive ? undefined : redactor;
}

function typeOf(reply: FastifyReply): string {
  return String(reply.getHeader("content-type") ?? "");
}

/**
 * Refuses a request that contains a replacement text: its sender has not seen the value, and the replacement must not be executed
 * in its place.
 *
 * @throws {Problem} `redacted_value`
 */
export function refuseReplacements(redactor: Redactor, value: unknown): void {
  const found = redactor.replacementIn(value);
  if (found === undefined) return;
  throw new Problem(
    "redacted_value",
    `wanted values in plain text, got ${found}: redaction rules hide this value from your role. Leave that part out, ` +
      "re-run the plan unchanged, or use a role to which the rule shows it",
  );
}

async function redactBody(text: string, redactor: Redactor): Promise<string> {
  const value = parseExact(text);
  const redacted = await redactInTurns(value, redactor);
  return redacted === value ? text : JSON.stringify(redacted);
}

/** Redacts the lists in the response entry by entry, yielding in between: pages of events and traces may be long. */
async function redactInTurns(value: unknown, redactor: Redactor): Promise<unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return redactor.json(value, VIEWS);
  const lists: [string, unknown[]][] = [];
  const others: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (Array.isArray(entry)) lists.push([key, entry]);
    else others[key] = entry;
  }
  const redacted = new Map(Object.entries(redactor.json(others, VIEWS)));
  let turnEndsAt = performance.now() + TURN_MS;
  for (const [key, list] of lists) {
    const shown: unknown[] = [];
    for (const entry of list) {
      shown.push(...(redactor.json({ [key]: [entry] }, VIEWS)[key] ?? []));
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    redacted.set(key, shown);
  }
  // Keeps the original order of the fields.
  return Object.fromEntries(Object.keys(value).map((key) => [key, redacted.get(key)]));
}
