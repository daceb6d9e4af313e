/** References to secrets in arguments: finds them, and replaces them with the values. */
import { isJsonObject } from "../values/json-guards.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { asArtifactValue, isLiteral } from "./placeholders.ts";
import { isPlanValue, parseSecret, TEMPLATE } from "../language/references.ts";

/** A reference to a secret, with the path of the text that contains it. */
export type SecretReference = {
  readonly name: string;
  /** Keys and indexes below the arguments. */
  readonly path: readonly (string | number)[];
};

/** The names of the secrets that a text refers to, one entry per reference. */
export function secretsIn(text: string): string[] {
  if (!text.includes("{{")) return [];
  return Array.from(text.matchAll(TEMPLATE), ([, inside = ""]) => parseSecret(inside) ?? []).flat();
}

/** Returns the text with each reference to a secret replaced; other templates stay. */
export function fillSecrets(text: string, valueOf: (name: string) => string): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(TEMPLATE, (whole, inside: string) => {
    const name = parseSecret(inside);
    return name === undefined ? whole : valueOf(name);
  });
}

/**
 * Finds the references to secrets in a call's arguments, whether as planned or with other references resolved.
 *
 * They are exactly those whose values `loadArtifactValues` inserts. A plan among the arguments keeps its references: its own
 * steps are checked. Text from outputs is never a reference.
 */
export function findSecrets(args: JsonObject): SecretReference[] {
  const found: SecretReference[] = [];
  const look = (value: Json, path: SecretReference["path"]): void => {
    if (typeof value === "string") found.push(...secretsIn(value).map((name) => ({ name, path })));
    else if (Array.isArray(value)) value.forEach((entry, index) => look(entry, [...path, index]));
    else if (isJsonObject(value) && !isPlanValue(value) && !isOutput(value)) {
      const template = value["$template"];
      if (Array.isArray(template)) for (const part of template) look(part, path);
      else for (const [key, entry] of Object.entries(value)) look(entry, [...path, key]);
    }
  };
  look(args, []);
  return found;
}

/** Whether it is a placeholder for an output, which contains no references. */
function isOutput(value: JsonObject): boolean {
  return isLiteral(value) || asArtifactValue(value) !== undefined;
}
