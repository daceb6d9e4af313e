import { Problem } from "./problem.ts";

/** Deeper values are refused before any code walks them. Plans have their own, lower limit. */
const DEPTH_MAX = 100;

/**
 * Decodes a body or a frame.
 *
 * @throws {Problem} `malformed_json`, with the position of the fault; also when it is nested too deeply.
 */
export function decodeJson(text: string): unknown {
  const value = parseJson(text);
  if (isDeeperThan(value, DEPTH_MAX)) {
    throw new Problem("malformed_json", `wanted at most ${DEPTH_MAX} levels of nesting, got more`);
  }
  return value;
}

/**
 * Decodes JSON of any depth, for callers that do not walk it.
 *
 * @throws {Problem} `malformed_json`
 */
export function parseJson(text: string): unknown {
  if (text.trim() === "") throw new Problem("malformed_json", "wanted JSON, got an empty body");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Problem("malformed_json", `wanted JSON: ${reason}`, { cause });
  }
}

/** Stops at the given depth, so that no input can exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((entry) => isDeeperThan(entry, levels - 1));
  for (const entry of Object.values(value)) if (isDeeperThan(entry, levels - 1)) return true;
  return false;
}
