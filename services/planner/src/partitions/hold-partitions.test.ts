import { describe, expect, it } from "vitest";
import { LEASE_MS, type Leases } from "./lease-table.ts";
import { createPlannerRoll, type PlannerRoll } from "./hold-partitions.ts";

/** The table's content: planners with the revision of their last renewal, and the partitions' owners. */
const table = (planners: Record<string, number>, more: { owners?: string[]; removed?: string[] } = {}) =>
  ({
    planners: new Map(Object.entries(planners)),
    removed: new Set(more.removed),
    partitions: (more.owners ?? []).map((owner) => ({ owner, revision: 1 })),
  }) satisfies Leases;

const HALF = LEASE_MS / 2;
const started = (leases: Leases): PlannerRoll => {
  const roll = createPlannerRoll("self");
  roll.note(leases, 0);
  return roll;
};
const suspected = (roll: PlannerRoll) =>
  roll.suspects().map(({ planner, isOverdue }) => `${planner}${isOverdue ? " overdue" : ""}`);

describe("the membership of planners", () => {
  it("suspects every planner that it finds at first, but none that renews", () => {
    const roll = started(table({ self: 1, other: 2 }));
    expect(suspected(roll)).toEqual(["other"]);
    roll.note(table({ self: 3, other: 4 }), 700);
    expect(suspected(roll)).toEqual([]);
    roll.note(table({ self: 5, other: 6 }), 1_400);
    expect(suspected(roll)).toEqual([]);
  });

  it("suspects a planner after half of the lease, and reports it overdue after all of it", () => {
    const roll = started(table({}));
    roll.note(table({ other: 2 }), 10);
    roll.note(table({ other: 2 }), 9 + HALF);
    expect(suspected(roll)).toEqual([]);
    roll.note(table({ other: 2 }), 10 + HALF);
    expect(suspected(roll)).toEqual(["other"]);
    roll.note(table({ other: 2 }), 10 + LEASE_MS);
    expect(suspected(roll)).toEqual(["other overdue"]);
  });

  it("never suspects itself", () => {
    const roll = started(table({ self: 1 }));
    roll.note(table({ self: 1 }), LEASE_MS);
    expect(suspected(roll)).toEqual([]);
  });

  it("gives an owner whose lease has expired time to return", () => {
    const roll = started(table({ other: 2 }, { owners: ["other"] }));
    roll.note(table({}, { owners: ["other"] }), 100);
    expect(suspected(roll)).toEqual([]);
    expect(roll.living()).toEqual(new Set(["other"]));
    roll.note(table({}, { owners: ["other"] }), 100 + LEASE_MS);
    expect(suspected(roll)).toEqual(["other overdue"]);
  });

  it("recognises immediately that an owner has left", () => {
    const roll = started(table({ other: 2 }, { owners: ["other"] }));
    roll.note(table({}, { owners: ["other"], removed: ["other"] }), 100);
    expect(roll.living()).toEqual(new Set());
  });

  it("treats buried planners as dead until they renew", () => {
    const roll = started(table({ other: 2 }, { owners: ["other"] }));
    roll.bury("other");
    expect(roll.living()).toEqual(new Set());
    roll.note(table({}, { owners: ["other"] }), 100);
    expect([...roll.living(), ...suspected(roll)]).toEqual([]);
    roll.note(table({ other: 9 }, { owners: ["other"] }), 200);
    expect(roll.living()).toEqual(new Set(["other"]));
  });

  it("gives every planner a new chance after it was cut off or has not checked for long", () => {
    const roll = started(table({ other: 2 }));
    roll.note(table({ other: 2 }), LEASE_MS + 1);
    expect(suspected(roll)).toEqual([]);
    roll.note(table({ other: 2 }), LEASE_MS + HALF + 1);
    expect(suspected(roll)).toEqual(["other"]);
    roll.forgive();
    roll.note(table({ other: 2 }), LEASE_MS + HALF + 2);
    expect(suspected(roll)).toEqual([]);
  });
});
