import fc from "fast-check";
import { expect, it } from "vitest";
import { createHeap } from "./heap.ts";

it("returns values in their order, whenever they were added", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { freq: 3 })), (acts) => {
      const heap = createHeap<number>((left, right) => left < right);
      const kept: number[] = [];
      for (const value of acts) {
        let given: (number | undefined)[] = [];
        let wanted: (number | undefined)[] = [];
        if (value === null) {
          kept.sort((left, right) => left - right);
          wanted = [kept[0], kept.shift()];
          given = [heap.first(), heap.take()];
        } else {
          heap.add(value);
          kept.push(value);
        }
        expect([heap.size, given]).toEqual([kept.length, wanted]);
      }
    }),
  );
});
