import { stripTypeScriptTypes } from "node:module";
import { PermanentError } from "@planwright/shared/errors";

const HEAD = "async function program(tools, console, input) {";
const TAIL = "\n}";

/**
 * Strips the types from TypeScript that is the body of an async function; lines and columns are unchanged.
 *
 * @throws {PermanentError} `syntax_error`, also for syntax that stripping cannot handle, such as `enum`.
 */
export function stripTypes(code: string): string {
  try {
    return stripTypeScriptTypes(HEAD + code + TAIL).slice(HEAD.length, -TAIL.length);
  } catch (cause) {
    const [message = "it cannot be read"] = cause instanceof Error ? cause.message.split("\n") : [];
    throw new PermanentError(`SyntaxError: ${message}`, { code: "syntax_error", cause });
  }
}
