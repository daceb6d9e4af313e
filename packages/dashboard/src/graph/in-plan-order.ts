import type { Direction, Position } from "./layout-types.ts";

/**
 * Mirrors a layout when most nodes of its layers run against the plan's order: the edges cross just as often, and the
 * first step is where a reader looks first.
 *
 * @param positions - In the plan's order.
 */
export function inPlanOrder(
  positions: readonly (readonly [string, Position])[],
  direction: Direction,
): [string, Position][] {
  const [along, across] = direction === "LR" ? (["x", "y"] as const) : (["y", "x"] as const);
  let turned = 0;
  for (const layer of Map.groupBy(positions, ([, position]) => position[along]).values()) {
    for (const [index, [, before]] of layer.entries()) {
      for (const [, after] of layer.slice(index + 1)) turned += before[across] > after[across] ? 1 : -1;
    }
  }
  const farthest = Math.max(...positions.map(([, position]) => position[across]));
  const nearest = Math.min(...positions.map(([, position]) => position[across]));
  return positions.map(([id, position]) => {
    if (turned <= 0) return [id, position];
    return [id, { ...position, [across]: farthest + nearest - position[across] }];
  });
}
