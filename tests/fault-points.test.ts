// No message of a service is without a fault point, and no fault point without a test that makes it fail.
import { PlanEvent } from "@planwright/plan";
import { factSubject } from "@planwright/shared/bus";
import { FAULT_POINTS, kindOf } from "@planwright/shared/faults";
import { SERVICE_NAMES } from "@planwright/testkit";
import { expect, it } from "vitest";
import { commonPoints, pointsOf, RARE_KINDS } from "./support/fault-point-groups.ts";

/** Written by the server's scheduler. */
const OF_THE_SERVER = "timer.fired";

/** All that any fact's subject is made of. */
const data = {
  approvalId: "a1",
  pause: 1,
  draft: 1,
  index: 0,
  join: 1,
  stepId: "s1",
  item: 0,
  attempt: 1,
  timer: "t1",
  review: 1,
  work: { kind: "join", join: 1 },
  tries: { report: 1 },
};
const types = PlanEvent.options
  .map((option) => option.shape.type.value)
  .filter((type) => type !== OF_THE_SERVER);

it.each(types)("has a fault point around %s", (type) => {
  for (const more of [{}, { undo: true }, { unit: "s0" }]) {
    // Only what the subject is made of: the rest does not matter here.
    const about = type === "unit.closed" ? { unit: "s0" } : {};
    const event = { type, planId: "p1", data: { ...data, ...about, ...more } } as unknown as PlanEvent;
    expect(FAULT_POINTS.has(`${kindOf(factSubject(event))}.before-publish`)).toBe(true);
  }
});

it("has every fault point in a test that passes all of its group", () => {
  const tested = [...SERVICE_NAMES.flatMap(commonPoints), ...RARE_KINDS.flatMap(pointsOf)];
  expect(tested.toSorted()).toEqual([...FAULT_POINTS.keys()].toSorted());
});
