import fc from "fast-check";
import { expect, it } from "vitest";
import { createHeap } from "./heap.ts";

it("gives values back in their order, whenever they were added", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { freq: 3 })), (acts) => {
      const heap = createHeap<number>((left, right) => left < right);
      const kept: number[] = [];
      for (const value of acts) {
        if (value === null) {
          const least = kept.toSorted((left, right) => left - right)[0];
          expect([heap.first(), heap.take()]).toEqual([least, least]);
          if (least !== undefined) kept.splice(kept.indexOf(least), 1);
        } else {
          heap.add(value);
          kept.push(value);
        }
        expect(heap.size).toBe(kept.length);
      }
    }),
  );
});
