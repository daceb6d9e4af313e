/** Which services read which secret settings; secrets that every service reads are not listed. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  PLANWRIGHT_API_KEYS: ["gateway"],
  PLANWRIGHT_TRACE_RECEIVER_KEY: ["gateway"],
  OIDC_CLIENT_SECRET: ["gateway"],
  OIDC_SESSION_SECRET: ["gateway"],
  BRAVE_API_KEY: ["executor"],
  TAVILY_API_KEY: ["executor"],
  SMTP_URL: ["executor"],
  // The gateway checks every model, for its page and for `planwright doctor`.
  ...Object.fromEntries(
    ["planner", "executor", "reflector"].flatMap((role) =>
      ["API_KEY", "HEADERS", "FALLBACKS"].map((setting) => [
        `${role.toUpperCase()}_${setting}`,
        [role, "gateway"],
      ]),
    ),
  ),
};

/** The prefix of variables with secrets for steps, which only executors read. */
const STEP_SECRET = "PLANWRIGHT_SECRET_";

/** Returns the environment of one service, without secrets that only other services read. @param service - Such as `executor-2`. */
export function withOwnSecrets(env: NodeJS.ProcessEnv, service: string): NodeJS.ProcessEnv {
  const kind = service.replace(/-\d+$/, "");
  const isOthers = (name: string): boolean =>
    READERS[name]?.includes(kind) === false || (name.startsWith(STEP_SECRET) && kind !== "executor");
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOthers(name)));
}
