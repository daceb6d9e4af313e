import { PermanentError } from "@planwright/shared/errors";
import type { z } from "zod";

/**
 * Parses the arguments or the output of a tool.
 *
 * @throws {PermanentError} With the given code, naming every invalid field.
 */
export function parseFor<T>(
  schema: z.ZodType<T>,
  value: unknown,
  { code, tool }: { readonly code: "invalid_arguments" | "invalid_output"; readonly tool: string },
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${fieldName(path)}: ${message}`);
  const what = code === "invalid_arguments" ? "arguments" : "output";
  // Without a cause: it would repeat the same faults as JSON, and a step's error is shown to users.
  throw new PermanentError(`invalid ${what} of ${tool}: ${faults.join("; ")}`, { code });
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "(all)";
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}
