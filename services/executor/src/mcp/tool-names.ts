/** The names of MCP tools as plans write them: `<server>.<tool>`, of lower-case letters, digits and hyphens. */
const CHARS_MAX = 100;

/** One part of a name: `readFile` and `read_file` become `read-file`. Undefined when nothing is left. */
export function nameForPlans(name: string): string | undefined {
  const kept = name
    .slice(0, CHARS_MAX * 2)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .replace(/-+$/, "");
  return kept === "" ? undefined : kept;
}

/** @throws {RangeError} When no valid name can be derived. */
export function toolNameOf(server: string, tool: string): string {
  const part = nameForPlans(tool);
  if (part === undefined) throw new RangeError("wanted a name with a letter in it");
  const name = `${server}.${part}`;
  if (name.length > CHARS_MAX) throw new RangeError(`wanted a name of at most ${CHARS_MAX} characters`);
  return name;
}
