import { PlanEnded, type PlanEvent, PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { OwnRecords } from "./own-records.ts";

const event: PlanEvent = PlanEnded.create(
  { planId: PlanId.parse("p"), at: new Date(0) },
  { outcome: "succeeded", reason: "all steps succeeded" },
);
const body = (text: string) => Buffer.from(text);

function records(): OwnRecords {
  const own = new OwnRecords();
  own.begin();
  return own;
}

it("returns the events of a message once, given the same bytes on the same subject", () => {
  const own = records();
  const events = [event];
  own.keep("a", body("one"), events);
  expect(own.take("b", body("one"))).toBeUndefined();
  // Another writer was first.
  expect(own.take("a", body("two"))).toBeUndefined();
  expect(own.take("a", body("one"))).toBe(events);
  expect(own.take("a", body("one"))).toBeUndefined();
});

it("keeps nothing in a process that does not read the log", () => {
  const own = new OwnRecords();
  own.keep("a", body("one"), [event]);
  own.begin();
  expect(own.take("a", body("one"))).toBeUndefined();
});

it("evicts the oldest records above the limits and never keeps a large one", () => {
  const own = records();
  for (let index = 0; index < 5_000; index += 1) own.keep(`s${index}`, body("one"), [event]);
  expect(own.take("s0", body("one"))).toBeUndefined();
  expect(own.take("s4999", body("one"))).toBeDefined();
  const large = Buffer.alloc(60_000);
  for (let index = 0; index < 200; index += 1) own.keep(`l${index}`, large, [event]);
  expect(own.take("s4998", body("one"))).toBeUndefined();
  expect(own.take("l0", large)).toBeUndefined();
  expect(own.take("l199", large)).toBeDefined();
  own.keep("huge", Buffer.alloc(70_000), [event]);
  expect(own.take("huge", Buffer.alloc(70_000))).toBeUndefined();
});
