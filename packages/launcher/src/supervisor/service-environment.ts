/** What the model's name says wherever one is shown, when no real model is configured. */
export const OFFLINE_MODEL_NAME = "offline-rules";

export type ServiceSettings = {
  readonly natsUrl: string;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Base URL of the offline model, when it stands in for a real one. */
  readonly offlineModelUrl?: string | undefined;
};

/** Whether the environment names a model: a key, or a server that may need none. */
export function namesModel(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env["OPENAI_API_KEY"] || env["OPENAI_BASE_URL"]);
}

/**
 * The environment of the services: the user's, completed with what the supervisor knows. Traces go to the
 * gateway's own receiver unless the user names another.
 */
export function serviceEnvironment(env: NodeJS.ProcessEnv, settings: ServiceSettings): NodeJS.ProcessEnv {
  return {
    ...env,
    NATS_URL: settings.natsUrl,
    PLANWRIGHT_DATA: settings.dataDir,
    HOST: settings.host,
    PORT: String(settings.port),
    ...tracing(env, settings),
    ...(settings.offlineModelUrl === undefined ? {} : offlineModel(settings.offlineModelUrl)),
  };
}

function tracing(env: NodeJS.ProcessEnv, { host, port }: ServiceSettings): NodeJS.ProcessEnv {
  if (env["OTEL_EXPORTER_OTLP_ENDPOINT"]) return {};
  const [key] = (env["PLANWRIGHT_API_KEYS"] ?? "").split(",");
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${reachableHost(host)}:${port}/otlp`,
    ...(key ? { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${key.trim()}` } : {}),
  };
}

function offlineModel(url: string): NodeJS.ProcessEnv {
  return {
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: "offline",
    PLANNER_MODEL: OFFLINE_MODEL_NAME,
    EXECUTOR_MODEL: OFFLINE_MODEL_NAME,
    REFLECTOR_MODEL: OFFLINE_MODEL_NAME,
  };
}

/** An address that a client on this machine can use for a server that listens on `host`. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
