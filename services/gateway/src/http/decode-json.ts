import { Problem } from "./problem.ts";

/** Deeper values are refused before anything walks them. Plans have a tighter limit of their own. */
const DEPTH_MAX = 100;

/**
 * Decodes a body or a frame.
 *
 * @throws {Problem} `malformed_json`, with the place of the fault, also when it is nested too deeply.
 */
export function decodeJson(text: string): unknown {
  const value = parse(text);
  if (isDeeperThan(value, DEPTH_MAX)) {
    throw new Problem("malformed_json", `wanted at most ${DEPTH_MAX} levels of nesting, got more`);
  }
  return value;
}

function parse(text: string): unknown {
  if (text.trim() === "") throw new Problem("malformed_json", "wanted JSON, got an empty body");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Problem("malformed_json", `wanted JSON: ${reason}`, { cause });
  }
}

/** Level by level, so that no depth can exhaust the stack. */
function isDeeperThan(root: unknown, depthMax: number): boolean {
  let level: object[] = isContainer(root) ? [root] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const value of Object.values(container)) if (isContainer(value)) next.push(value);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
