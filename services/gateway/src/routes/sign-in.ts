/**
 * Sign-in to the page: `GET /auth/login` redirects to the identity provider, which redirects back to `GET /auth/callback`.
 * `GET /v1/me` reports the caller, `GET /auth/options` how users sign in, and `POST /auth/logout` ends a session.
 */
import {
  type Caller,
  endSessions,
  getMe,
  getSignInOptions,
  PROBLEMS,
  ROUTE_ACCESS,
  signOut,
} from "@planwright/api";
import { ApprovalDecision, hasPermission, permissionToDecide, type Role } from "@planwright/plan";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Auditor } from "../audit/auditor.ts";
import { type App, serve } from "../http/contract.ts";
import { refuseForeignSession } from "../http/guard-browsers.ts";
import { Problem } from "../http/problem.ts";
import { sendProblem } from "../http/create-app.ts";
import { toProblem } from "../http/to-problem.ts";
import type { SignIn } from "../oidc/open-sign-in.ts";
import { requireKeys } from "./keys.ts";
import { returnPath } from "../oidc/return-path.ts";

const Sent = z.object({ state: z.string().min(1).max(512) });
const Asked = z.object({ return: z.string() });

type Deps = { readonly signIn: SignIn | undefined; readonly auditor: Auditor; readonly hasKeys: boolean };

export function signInRoutes(app: App, { signIn, auditor, hasKeys }: Deps): void {
  serve(app, getMe, async (request, reply) =>
    reply.header("cache-control", "no-store").send(callerOf(request)),
  );
  serve(app, getSignInOptions, async (_request, reply) =>
    reply.header("cache-control", "no-store").send({
      keys: hasKeys,
      ...(signIn === undefined ? {} : { oidc: { issuer: signIn.issuer, path: "/auth/login" } }),
    }),
  );
  serve(app, signOut, async (request, reply) => {
    void reply.header("cache-control", "no-store");
    if (signIn === undefined) return reply.send({});
    const user = await signIn.sessions.find(request.headers.cookie);
    if (user === undefined) return reply.header("set-cookie", signIn.sessions.forget).send({});
    refuseForeignSession({ origin: request.headers.origin }, signIn.sessions.origin);
    // The route is public, so without this the audit log would not know the user.
    request.tenant = user.tenant;
    request.identity = user.identity;
    request.role = user.role;
    await signIn.sessions.end(user);
    void reply.header("set-cookie", signIn.sessions.forget);
    // The session on the gateways ends even if the provider does not respond.
    const url = await signIn.flow.endUrl().catch(() => undefined);
    return reply.send(url === undefined ? {} : { url });
  });
  serve(app, endSessions, async ({ tenant, identity, params: { user } }, reply) => {
    requireKeys(identity);
    if (signIn === undefined)
      throw new Problem("not_found", "sign-in is not configured: OIDC_CLIENT_ID is not set");
    await signIn.sessions.endAllOf(`${tenant}/${user}`);
    return reply.code(204).send();
  });
  if (signIn === undefined) return;

  app.get("/auth/login", { config: { isOther: true } }, async (request, reply) => {
    const asked = returnPath(Asked.safeParse(request.query).data?.return);
    try {
      const { url, attempt } = await signIn.flow.begin(asked);
      const kept = await signIn.attempts.keep(attempt, request.headers.cookie);
      return await leadTo(reply.header("set-cookie", kept), url);
    } catch (error) {
      return sendPage(error, request, reply, asked);
    }
  });
  app.get("/auth/callback", { config: { isOther: true } }, async (request, reply) => {
    try {
      return await complete(request, reply, { signIn, auditor });
    } catch (error) {
      return sendPage(error, request, reply, "/");
    }
  });
}

async function complete(
  request: FastifyRequest,
  reply: FastifyReply,
  { signIn: { flow, sessions, attempts }, auditor }: { readonly signIn: SignIn; readonly auditor: Auditor },
): Promise<FastifyReply> {
  const { url, headers, ip, query } = request;
  const sent = Sent.safeParse(query).data;
  const taken = sent === undefined ? undefined : await attempts.take(sent.state, headers.cookie);
  if (taken === undefined)
    throw new Problem(
      "sign_in_failed",
      "this browser did not start this sign-in, or started it more than ten minutes ago: sign in again",
    );
  void reply.header("set-cookie", taken.forget);
  const user = await flow.complete(url.slice(url.indexOf("?")), taken.attempt);
  auditor.refuseWhenBlocked(user);
  const entry = { caller: user, action: "signIn", via: "http", on: {}, from: ip, outcome: "done" } as const;
  await auditor.note(entry);
  request.log.info({ tenant: user.tenant, identity: user.identity, role: user.role }, "a user signed in");
  return leadTo(reply.header("set-cookie", await sessions.begin(user)), taken.attempt.returnTo);
}

/** Redirects. The URL contains secrets, so it is neither cached nor sent as a referrer. */
function leadTo(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .redirect(url, 303);
}

/** Describes the caller, with the calls and decisions that the role permits. */
function callerOf({ tenant, identity, role, authenticated }: FastifyRequest): Caller {
  const { name, credential, expiresAt } = authenticated ?? {};
  return {
    tenant,
    ...(identity === undefined ? {} : { identity }),
    ...(name === undefined ? {} : { name }),
    role,
    credential: credential ?? (identity === undefined ? "none" : "key"),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    calls: callsOf(role),
    decisions: ApprovalDecision.options.filter((one) => hasPermission(role, permissionToDecide(one))),
  };
}

function callsOf(role: Role): string[] {
  return Object.entries(ROUTE_ACCESS).flatMap(([id, access]) =>
    access === "public" || hasPermission(role, access) ? [id] : [],
  );
}

/** Sends a page to browsers, and problem+json to other clients. */
function sendPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
): FastifyReply {
  if (!String(request.headers.accept ?? "").includes("text/html")) return sendProblem(error, request, reply);
  const problem = toProblem(error);
  const { code, status, message, details } = problem;
  const isFault = status >= 500 && details.isLogged !== true;
  if (isFault) request.log.error({ err: problem.cause ?? error, code }, "a sign-in failed");
  else request.log.info({ code, reason: message }, "a sign-in failed");
  const again = `/auth/login?return=${encodeURIComponent(returnTo)}`;
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in failed · Planwright</title></head>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>${escape(PROBLEMS[code].title)}</h1>
<p>${escape(message)}.</p>
<p><a href="${escape(again)}">Sign in again</a> · <a href="/?key">Use an API key</a></p>
</body></html>
`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
