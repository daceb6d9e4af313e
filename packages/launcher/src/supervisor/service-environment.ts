import { randomBytes } from "node:crypto";
import { NATS_SETTINGS } from "@planwright/shared/access";
import { apiKeyOf } from "@planwright/shared/service";
import { usersVariables } from "../credentials/login-of.ts";

const MODEL_ROLES = ["PLANNER", "EXECUTOR", "REFLECTOR"] as const;

/** The variables that set a model server or its key, for all roles and for each. */
const MODEL_VARIABLES = ["OPENAI", ...MODEL_ROLES].flatMap((owner) => [
  `${owner}_API_KEY`,
  `${owner}_BASE_URL`,
]);

/**
 * The size of Node's young generation, in MiB. A service creates thousands of short-lived objects per running plan; with
 * the default size, a burst keeps them alive long enough to be copied repeatedly.
 */
const YOUNG_MIB = 64;
const YOUNG_OPTION = "--max-semi-space-size";

const TRACE_KEY_BYTES = 24;
const SEVERAL = 2;

export type OfflineModel = { readonly url: string; readonly name: string };

type ServiceSettings = {
  readonly natsUrl: string;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** The demo model, if no real one is configured. */
  readonly offlineModel?: OfflineModel | undefined;
  /** The users of the system's own nats-server; for an external one, the environment sets the login. */
  readonly users?: { readonly folder: string; readonly pools: readonly string[] } | undefined;
};

/** Returns whether the environment sets a model: a key, or a server that may not need one. */
export function namesModel(env: NodeJS.ProcessEnv): boolean {
  return MODEL_VARIABLES.some((name) => Boolean(env[name]));
}

/**
 * Returns the environment of the services: the user's, plus the supervisor's settings. It includes the gateway's own trace
 * receiver, unless the user sets another one.
 */
export function serviceEnvironment(env: NodeJS.ProcessEnv, settings: ServiceSettings): NodeJS.ProcessEnv {
  return {
    ...(settings.users === undefined ? env : ownLogin(env, settings.users)),
    NATS_URL: settings.natsUrl,
    PLANWRIGHT_DATA: settings.dataDir,
    HOST: settings.host,
    PORT: String(settings.port),
    NODE_OPTIONS: nodeOptions(env),
    ...tenants(env),
    ...tracing(env, settings),
    ...(settings.offlineModel === undefined ? {} : modelVariables(settings.offlineModel)),
  };
}

/** Replaces logins that the user has set: they are for another server. */
function ownLogin(
  env: NodeJS.ProcessEnv,
  { folder, pools }: NonNullable<ServiceSettings["users"]>,
): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean => NATS_SETTINGS.some((setting) => setting === name);
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !isForeign(name)));
  return { ...others, ...usersVariables(folder, pools) };
}

/** Adds the option, unless the user has set it. */
function nodeOptions({ NODE_OPTIONS: given = "" }: NodeJS.ProcessEnv): string {
  return given.includes(YOUNG_OPTION) ? given : `${YOUNG_OPTION}=${YOUNG_MIB} ${given}`.trimEnd();
}

/** Counts the tenants for the executors, which isolate their code but must not see the keys. */
function tenants({
  PLANWRIGHT_TENANTS: given,
  PLANWRIGHT_API_KEYS: keys = "",
  OIDC_ISSUER: issuer,
  OIDC_TENANT: tenant,
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (given) return {};
  const entries = keys.split(",").map((entry) => apiKeyOf(entry.trim()).tenant);
  // Without keys there is one tenant, unless the identity provider sets others.
  const names = new Set(keys === "" && issuer ? [] : entries);
  if (issuer && tenant) names.add(tenant);
  // The users' claims can contain any number of tenants.
  const least = issuer && !tenant ? SEVERAL : 1;
  return { PLANWRIGHT_TENANTS: String(Math.max(names.size, least)) };
}

function tracing(env: NodeJS.ProcessEnv, { host, port }: ServiceSettings): NodeJS.ProcessEnv {
  if (env["PLANWRIGHT_TRACE_RECEIVER"]) return {};
  const receiver = { PLANWRIGHT_TRACE_RECEIVER: `http://${reachableHost(host)}:${port}/otlp` };
  if (!env["PLANWRIGHT_API_KEYS"] && !env["OIDC_ISSUER"]) return receiver;
  const key = env["PLANWRIGHT_TRACE_RECEIVER_KEY"] || randomBytes(TRACE_KEY_BYTES).toString("base64url");
  return {
    ...receiver,
    PLANWRIGHT_TRACE_RECEIVER_KEY: key,
    PLANWRIGHT_TRACE_RECEIVER_HEADERS: `authorization=Bearer ${key}`,
  };
}

function modelVariables({ url, name }: OfflineModel): NodeJS.ProcessEnv {
  const models = MODEL_ROLES.map((role) => [`${role}_MODEL`, name] as const);
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: "offline", ...Object.fromEntries(models) };
}

/** Returns an address at which clients on this machine reach a server that listens on `host`. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
