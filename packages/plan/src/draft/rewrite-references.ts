import type { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { isJsonObject } from "../values/json-guards.ts";
import { isPlanValue, isReferenceObject, parseReference, TEMPLATE } from "../language/references.ts";

/** Changes one reference as written to the step's new id; text that is not a reference stays unchanged. */
export function renamedReference(text: string, rename: (stepId: StepId) => StepId): string {
  const reference = parseReference(text);
  return reference === undefined ? text : rename(reference.stepId) + text.slice(reference.stepId.length);
}

/**
 * Changes the step of every reference in a step's arguments, including those in templates.
 *
 * @param rename - Returns the new id of a referenced step, or the same id if it does not change.
 */
export function rewriteReferences(args: JsonObject, rename: (stepId: StepId) => StepId): JsonObject {
  const rewriteText = (text: string): string => renamedReference(text, rename);
  const rewrite = (value: Json): Json => {
    if (typeof value === "string") {
      return value.replaceAll(TEMPLATE, (whole, inner: string) =>
        whole.replace(inner, () => rewriteText(inner)),
      );
    }
    if (Array.isArray(value)) return value.map(rewrite);
    if (isReferenceObject(value)) return { $ref: rewriteText(value.$ref) };
    return isJsonObject(value) && !isPlanValue(value) ? rewriteEntries(value) : value;
  };
  const rewriteEntries = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, entry]) => [key, rewrite(entry)]));
  return rewriteEntries(args);
}
