/** Maps the field names that models and users write by mistake to those of the plan language. */

/** In addition to names that differ only in case, `_` and `-`. */
const STEP_ALIASES: ReadonlyMap<string, string> = new Map([
  ["stepid", "id"],
  ["step", "id"],
  ["stepnumber", "id"],
  ["action", "tool"],
  ["tools", "tool"],
  ["toolname", "tool"],
  ["toolcall", "tool"],
  ["function", "tool"],
  ["functionname", "tool"],
  ["arguments", "args"],
  ["parameters", "args"],
  ["params", "args"],
  ["input", "args"],
  ["inputs", "args"],
  ["toolargs", "args"],
  ["toolinput", "args"],
  ["actioninput", "args"],
  ["dependencies", "dependsOn"],
  ["depends", "dependsOn"],
  ["dependency", "dependsOn"],
  ["dependencyids", "dependsOn"],
  ["needs", "dependsOn"],
  ["requires", "dependsOn"],
  ["after", "dependsOn"],
  ["condition", "when"],
  ["if", "when"],
  ["desc", "description"],
]);

const PLAN_ALIASES: ReadonlyMap<string, string> = new Map([
  ["plan", "steps"],
  ["tasks", "steps"],
  ["actions", "steps"],
  ["answer", "answerFrom"],
  ["answerstep", "answerFrom"],
]);

/** The step field that a misspelt name means; undefined if the name is a field itself, or means none. */
export function stepFieldFor(name: string, fields: Iterable<string>): string | undefined {
  return fieldFor(name, fields, STEP_ALIASES);
}

/** The plan field that a misspelt name means; undefined if the name is a field itself, or means none. */
export function planFieldFor(name: string, fields: Iterable<string>): string | undefined {
  return fieldFor(name, fields, PLAN_ALIASES);
}

function fieldFor(
  name: string,
  fields: Iterable<string>,
  aliases: ReadonlyMap<string, string>,
): string | undefined {
  const plain = plainName(name);
  let same: string | undefined;
  const known = new Set<string>();
  for (const field of fields) {
    if (field === name) return undefined;
    known.add(field);
    if (plainName(field) === plain) same = field;
  }
  const alias = aliases.get(plain);
  return same ?? (alias !== undefined && known.has(alias) ? alias : undefined);
}

/**
 * The tool that a misspelt name means: `docs_search` and `functions.docs.search` mean `docs.search`, unless another tool is as
 * near.
 */
export function toolNameFor(name: string, tools: ReadonlyMap<string, unknown>): string {
  if (tools.has(name)) return name;
  const meant = plainNames(tools).get(plainName(name.trim().replace(/^(?:functions?|tools?)[.:]/i, "")));
  return meant ?? name;
}

const plainOf = new WeakMap<ReadonlyMap<string, unknown>, ReadonlyMap<string, string | undefined>>();

/** Each tool by its normalized name; undefined if several share it. */
function plainNames(tools: ReadonlyMap<string, unknown>): ReadonlyMap<string, string | undefined> {
  const known = plainOf.get(tools);
  if (known !== undefined) return known;
  const names = new Map<string, string | undefined>();
  for (const name of tools.keys()) {
    const plain = plainName(name);
    names.set(plain, names.has(plain) ? undefined : name);
  }
  plainOf.set(tools, names);
  return names;
}

function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
