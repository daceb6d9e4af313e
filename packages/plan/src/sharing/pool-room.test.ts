import fc from "fast-check";
import { expect, it } from "vitest";
import { poolRoom } from "./pool-room.ts";

const wants = (counts: Record<string, number> = {}) => new Map(Object.entries(counts));

it("reserves one slot of 32 for plans, and one for tenants, without a step in flight", () => {
  expect(poolRoom(128, wants({ acme: 1_000 }), [])).toEqual({ any: 120, newPlan: 124, newTenant: 128 });
});

it("reserves nothing in a pool with few slots", () => {
  expect(poolRoom(8, wants({ acme: 1_000 }), [])).toEqual({ any: 8, newPlan: 8, newTenant: 8 });
});

it("lets work wait in the queue of a pool that has no worker yet", () => {
  expect(poolRoom(0, wants({ acme: 1_000 }), [])).toEqual({ any: 64, newPlan: 128, newTenant: 192 });
});

it("leaves the other planners the slots that they want, while there are enough for all", () => {
  expect(poolRoom(10, wants({ acme: 2 }), [wants({ bell: 3 })]).any).toBe(7);
});

it("divides the slots among tenants, and a tenant's among the planners that want them", () => {
  const [first, second] = [wants({ acme: 900 }), wants({ acme: 100, bell: 50 })];
  expect(poolRoom(10, first, [second]).any).toBe(5);
  expect(poolRoom(10, second, [first]).any).toBe(6);
});

it("redistributes slots that a tenant does not want", () => {
  expect(poolRoom(12, wants({ acme: 900 }), [wants({ bell: 2 })]).any).toBe(10);
});

it("gives every planner at least one slot, and in total at most one extra per planner", () => {
  const wanted = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 200 }));
  fc.assert(
    fc.property(
      fc.array(wanted, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 15 }),
      (all, slots) => {
        const maps = all.map((counts) => wants(counts));
        const rooms = maps.map((own, index) => poolRoom(slots, own, maps.toSpliced(index, 1)).any);
        expect(Math.min(...rooms)).toBeGreaterThanOrEqual(1);
        const wantedInAll = all.flatMap((counts) => Object.values(counts)).reduce((sum, one) => sum + one, 0);
        const given = rooms.reduce((sum, one) => sum + one, 0);
        expect(wantedInAll <= slots || given <= slots + maps.length).toBe(true);
      },
    ),
  );
});
