import { stripTypeScriptTypes } from "node:module";
import { PermanentError } from "@planwright/shared/errors";

const HEAD = "async function program(tools, console, input) {";
const TAIL = "\n}";

/**
 * Takes the types out of TypeScript that is the body of an async function; lines and columns stay where they are.
 *
 * @throws {PermanentError} `syntax_error`, also for what would need more than taking away, such as `enum`.
 */
export function stripTypes(code: string): string {
  try {
    return stripTypeScriptTypes(HEAD + code + TAIL).slice(HEAD.length, -TAIL.length);
  } catch (cause) {
    const [message = "it cannot be read"] = cause instanceof Error ? cause.message.split("\n") : [];
    throw new PermanentError(`SyntaxError: ${message}`, { code: "syntax_error", cause });
  }
}
