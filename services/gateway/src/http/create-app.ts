/** The HTTP server without its routes: limits, headers, authentication, and the form of refusals. */
import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import underPressure from "@fastify/under-pressure";
import websocket from "@fastify/websocket";
import {
  accessOf,
  isGuarded,
  receiveTraces,
  SOCKET_PROTOCOL,
  VERSION_HEADER,
  PROBLEM_TYPE,
  getPrometheusMetrics,
} from "@planwright/api";
import type { Role } from "@planwright/plan";
import type { Redaction } from "@planwright/shared/redaction";
import { type Logger, VERSION } from "@planwright/shared/service";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { redactAnswers } from "../redaction/redact-answers.ts";
import type { Authenticate, Authenticated } from "./authenticate.ts";
import { type App, standOnContract, type ZodTypeProvider } from "./contract.ts";
import { decodeJson } from "./decode-json.ts";
import { refuseForeignPages, refuseForeignSession } from "./guard-browsers.ts";
import { Problem, problemBody } from "./problem.ts";
import { requirePermission } from "./require-permission.ts";
import { toProblem } from "./to-problem.ts";

/** Room for the envelope around a body of the maximum size. */
const ENVELOPE_BYTES_MAX = 64 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** The tenant of the caller. */
    tenant: string;
    /** Identity of the key or user; undefined where no credentials are needed. */
    identity: string | undefined;
    /** Role of that key or user; every permission where no credentials are needed. */
    role: Role;
    /** Aborts when that key is revoked or the credentials expire. */
    keyEnded: AbortSignal | undefined;
    /** The authenticated caller; undefined before authentication, and for routes that need none. */
    authenticated: Authenticated | undefined;
    /** Whether the caller is a service that sends its spans, with the key for that. */
    sendsSpans: boolean;
  }
}

const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** The time limit for receiving a request, body included. */
const REQUEST_TIMEOUT_MS = 120_000;
const EVENT_LOOP_DELAY_MS_MAX = 5_000;
const MINUTE_MS = 60_000;
const HEALTH = /^\/(?:healthz|readyz)$/;
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export type AppOptions = {
  readonly log: Logger;
  readonly authenticate: Authenticate;
  /** Whether everyone is admitted because only this machine can connect. */
  readonly localOnly: boolean;
  /** The URL at which browsers reach the gateway; undefined when it is not set. */
  readonly publicOrigin?: string | undefined;
  /** Redacts responses by the role of the caller. */
  readonly redaction: Redaction;
  readonly requestsPerMinute: number;
  /** Whether responses that do not fit their schema fail; for tests. */
  readonly strictResponses: boolean;
};

export async function createApp(options: AppOptions): Promise<App> {
  const logger: FastifyBaseLogger = options.log;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 1_024 },
    rewriteUrl: ({ url = "/", headers }) => urlOfPage(url, headers.accept),
    // Refusals before routing, such as for a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      new Problem("not_found", `there is no ${request.method} ${JSON.stringify(request.url.slice(0, 200))}`),
      request,
      reply,
    ),
  );
  readBodies(app);
  redactAnswers(app, options.redaction);
  standOnContract(app, { check: { strict: options.strictResponses, log: options.log } });
  await acceptSockets(app, { bodyBytesMax: BODY_BYTES_MAX });
  await app.register(helmet, { contentSecurityPolicy: CONTENT_POLICY, strictTransportSecurity: false });
  await limitLoad(app);
  guard(app, options);
  await app.register(rateLimit, {
    max: options.requestsPerMinute,
    timeWindow: MINUTE_MS,
    keyGenerator: ({ tenant, ip }) => (options.localOnly ? ip : tenant),
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem("rate_limited", `wanted at most ${options.requestsPerMinute} requests a minute, got more`, {
        retryAfterS: Math.ceil(ttl / 1_000),
      }),
  });
  return app.withTypeProvider<ZodTypeProvider>();
}

const CONTENT_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

/**
 * Every body is parsed as JSON, whatever its content type: `curl -d` sends that of a form. Routes for other bodies declare them.
 */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string | Buffer) =>
    decodeJson(body.toString()),
  );
}

async function limitLoad(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: EVENT_LOOP_DELAY_MS_MAX,
    pressureHandler(request, _reply, _type, value) {
      // A busy gateway is alive: killing it would not help.
      if (HEALTH.test(request.url)) return;
      // On a starved machine, the plugin reports an interval without samples as an endless delay.
      if (value === undefined || !Number.isFinite(value)) return;
      throw new Problem("overloaded", "The gateway is overloaded; try again.", { retryAfterS: 1 });
    },
  });
}

function guard(app: FastifyInstance, { authenticate, localOnly, publicOrigin }: AppOptions): void {
  app.decorateRequest("tenant", "");
  app.decorateRequest("identity", undefined);
  app.decorateRequest("role", "viewer");
  app.decorateRequest("keyEnded", undefined);
  app.decorateRequest("authenticated", undefined);
  app.decorateRequest("sendsSpans", false);
  app.addHook("onRequest", async (request, reply) => {
    void reply.header(VERSION_HEADER, VERSION);
    const { headers, method, routeOptions } = request;
    const changes = !SAFE_METHODS.has(method) || headers.upgrade !== undefined;
    const { host, origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
    refuseForeignPages({ host, origin, site, mode }, { changes, localOnly, publicOrigin });
    // The matched route, not the path as sent, which can be spelt in many ways.
    if (!isGuarded(routeOptions.url ?? "")) return;
    const caller = await authenticate({
      authorization: headers.authorization,
      protocols: headers["sec-websocket-protocol"],
      cookie: headers.cookie,
      withSpans: routeOptions.url === receiveTraces.path,
    });
    if (caller.credential === "session" && changes) refuseForeignSession({ origin }, publicOrigin ?? "");
    request.authenticated = caller;
    request.tenant = caller.tenant;
    request.identity = caller.identity;
    request.role = caller.role;
    request.keyEnded = caller.ended;
    request.sendsSpans = caller.sendsSpans === true;
    const { endpoint } = routeOptions.config;
    const access = endpoint === undefined ? "read" : accessOf(endpoint);
    if (access !== "public") requirePermission(caller, access, endpoint?.id ?? "this");
  });
}

/**
 * Makes the server accept WebSockets.
 *
 * Register it before any hook that may refuse a request: it closes the connection of a refused upgrade.
 */
async function acceptSockets(
  app: FastifyInstance,
  { bodyBytesMax }: { readonly bodyBytesMax: number },
): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: bodyBytesMax + ENVELOPE_BYTES_MAX,
      handleProtocols: (offered) => (offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
    },
    // The library closes the connection with its close code; ending it immediately would lose that.
    errorHandler: (error, _socket, request) => request.log.debug({ err: error }, "a socket failed"),
  });
}

/** Responds with the parts of an error that the client may see; internal errors go to the log. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  if (problem.status >= 500 && problem.details.isLogged !== true) {
    request.log.error(
      { err: problem.cause ?? error, code: problem.code, route: request.routeOptions.url },
      "refused",
    );
  }
  if (problem.code === "body_too_large") {
    // Closing now would reset the connection of a client that is still sending, and it would never read the reason.
    reply.removeHeader("connection");
    request.raw.resume();
  }
  if (problem.code === "unauthorized") void reply.header("www-authenticate", 'Bearer realm="planwright"');
  const { retryAfterS } = problem.details;
  if (retryAfterS !== undefined) void reply.header("retry-after", String(retryAfterS));
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem)));
}

/**
 * The dashboard's metrics page has the same path as the metrics for Prometheus. Browsers, which accept HTML, get the page: its
 * URL with a trailing slash, which no endpoint has. Everything else gets the metrics.
 *
 * @returns The URL to route by.
 */
export function urlOfPage(url: string, accept: string | undefined): string {
  const { path } = getPrometheusMetrics;
  const isOfMetrics = url === path || url.startsWith(`${path}?`);
  if (!isOfMetrics || accept?.includes("text/html") !== true) return url;
  return `${path}/${url.slice(path.length)}`;
}
