/** `${NAME}` or `${NAME:-default}`, as other MCP clients write it. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Substitutes environment variables, so that the file does not have to contain secrets.
 *
 * @throws {RangeError} Naming a variable that is not set and has no default.
 */
export function substituteEnv(text: string, env: Environment): string {
  return text.replaceAll(VARIABLE, (_, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw new RangeError(`the environment variable ${name} is not set`);
    return value;
  });
}
