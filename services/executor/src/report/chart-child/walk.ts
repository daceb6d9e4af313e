import { invalidChart } from "./invalid-chart.ts";

export type PlainObject = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 40;
const NODES_MAX = 200_000;

export function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Calls back with every object inside a value and the path that leads to it, outermost first.
 *
 * @throws {PermanentError} `invalid_chart` for a value nested too deep or with too many parts.
 */
export function eachObject(
  root: unknown,
  rootPath: string,
  visit: (object: PlainObject, path: string) => void,
): void {
  const open: (readonly [value: unknown, path: string, depth: number])[] = [[root, rootPath, 0]];
  let nodes = 0;
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [value, path, depth] = entry;
    nodes += 1;
    if (depth > DEPTH_MAX) throw invalidChart(path.slice(0, 200), `nested deeper than ${DEPTH_MAX} levels`);
    if (nodes > NODES_MAX) throw invalidChart(rootPath, `more than ${NODES_MAX} values`);
    if (isObject(value)) visit(value, path);
    const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
    // Backwards, because the last one in is the first one out.
    for (const [key, child] of inner.reverse()) {
      open.push([child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1]);
    }
  }
}
