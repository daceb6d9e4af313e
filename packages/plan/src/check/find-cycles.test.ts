import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycles } from "./find-cycles.ts";

describe("the cycles of a graph", () => {
  it("are none in a chain of 10,000 nodes", () => {
    expect(findCycles(Array.from({ length: 10_000 }, (_, node) => (node === 0 ? [] : [node - 1])))).toEqual(
      [],
    );
  });

  it("include a ring of 10,000 nodes as a whole", () => {
    const [ring, ...others] = findCycles(Array.from({ length: 10_000 }, (_, node) => [(node + 1) % 10_000]));
    expect(others).toEqual([]);
    expect(ring).toHaveLength(10_000);
  });

  it("are one per group, each the shortest through the group's first node", () => {
    const edges = [[1], [2, 0], [3], [0], [5], [4], [6], []];
    expect(findCycles(edges)).toEqual([[0, 1], [4, 5], [6]]);
  });

  it("are found exactly where a search of every path finds one, and each consists of edges", () => {
    const graphs = fc.integer({ min: 1, max: 7 }).chain((size) =>
      fc.array(fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: size }), {
        minLength: size,
        maxLength: size,
      }),
    );
    fc.assert(
      fc.property(graphs, (edges) => {
        const cycles = findCycles(edges);
        expect(cycles.length > 0).toBe(edges.some((_, node) => reaches(edges, node, node)));
        for (const cycle of cycles) {
          expect(new Set(cycle).size).toBe(cycle.length);
          for (const [index, node] of cycle.entries()) {
            expect(edges[node]).toContain(cycle[(index + 1) % cycle.length]);
          }
        }
        // Each node on a cycle shares its group with exactly one reported cycle.
        for (const node of edges.keys()) {
          if (!reaches(edges, node, node)) continue;
          const inGroup = cycles.filter(
            ([first = -1]) => first === node || (reaches(edges, node, first) && reaches(edges, first, node)),
          );
          expect(inGroup).toHaveLength(1);
        }
      }),
    );
  });
});

/** The oracle: whether there is a path of at least one edge. */
function reaches(edges: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set<number>();
  const walk = (node: number): boolean =>
    (edges[node] ?? []).some((next) => next === to || (!seen.has(next) && seen.add(next) && walk(next)));
  return walk(from);
}
