/** Who reads the settings that are secrets; those of every service are not named. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  PLANWRIGHT_API_KEYS: ["gateway"],
  PLANWRIGHT_TRACE_RECEIVER_KEY: ["gateway"],
  OIDC_CLIENT_SECRET: ["gateway"],
  OIDC_SESSION_SECRET: ["gateway"],
  BRAVE_API_KEY: ["executor"],
  TAVILY_API_KEY: ["executor"],
  SMTP_URL: ["executor"],
  // The gateway says on its page and to the doctor whether each model answers.
  ...Object.fromEntries(
    ["planner", "executor", "reflector"].flatMap((role) =>
      ["API_KEY", "HEADERS", "FALLBACKS"].map((setting) => [
        `${role.toUpperCase()}_${setting}`,
        [role, "gateway"],
      ]),
    ),
  ),
};

/** How the variables begin with the values of secrets that steps use: executors alone read them. */
const STEP_SECRET = "PLANWRIGHT_SECRET_";

/** The environment of one service: without the secrets that only others read. @param service - `executor-2` is an executor. */
export function withOwnSecrets(env: NodeJS.ProcessEnv, service: string): NodeJS.ProcessEnv {
  const kind = service.replace(/-\d+$/, "");
  const isOthers = (name: string): boolean =>
    READERS[name]?.includes(kind) === false || (name.startsWith(STEP_SECRET) && kind !== "executor");
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOthers(name)));
}
