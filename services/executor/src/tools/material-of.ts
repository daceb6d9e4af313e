import { PermanentError } from "@planwright/shared/errors";

/** About 60,000 tokens: less than the limit of every current model. */
const CONTEXT_CHARS_MAX = 256_000;

/**
 * A call's context as shown to a model: text unchanged, anything else as JSON.
 *
 * @throws {PermanentError} `context_too_large`
 */
export function materialOf(context: unknown): string | undefined {
  if (context === undefined || context === null) return undefined;
  const material = typeof context === "string" ? context : JSON.stringify(context, undefined, 1);
  if (material.length <= CONTEXT_CHARS_MAX) return material;
  throw new PermanentError(
    `context has ${material.length} characters, the limit is ${CONTEXT_CHARS_MAX}: pass only what the text needs`,
    { code: "context_too_large" },
  );
}
