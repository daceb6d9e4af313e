import { expect, it } from "vitest";
import { createAdmission, SUBMISSION_BYTES_IN_FLIGHT_MAX } from "./admission.ts";

const admit = (options: Partial<Parameters<typeof createAdmission>[0]> = {}) =>
  createAdmission({ inFlightMax: 3, openPlansMax: 10, openPlans: () => 0, ...options });

it("admits a limited number of submissions at a time, and the next one when one has left", () => {
  const admission = admit();
  const [first] = [admission.enter(1), admission.enter(1), admission.enter(1)];
  expect(() => admission.enter(1)).toThrow(/3 submissions of 3 bytes/);
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  admission.enter(1);
  expect(() => admission.enter(1)).toThrow(expect.objectContaining({ code: "too_many_submissions" }));
});

it("admits a limited number of bytes at a time, but a large request alone", () => {
  const admission = admit();
  const large = admission.enter(SUBMISSION_BYTES_IN_FLIGHT_MAX + 1);
  expect(() => admission.enter(1)).toThrow(expect.objectContaining({ code: "too_many_submissions" }));
  large[Symbol.dispose]();
  admission.enter(SUBMISSION_BYTES_IN_FLIGHT_MAX - 1);
  admission.enter(1);
  expect(() => admission.enter(1)).toThrow(expect.objectContaining({ code: "too_many_submissions" }));
});

it("counts submissions in progress among the open plans", () => {
  const admission = admit({ openPlans: () => 8 });
  for (let index = 0; index < 2; index++) {
    admission.enter(1);
    admission.refuseAboveOpenPlans();
  }
  admission.enter(1);
  expect(() => admission.refuseAboveOpenPlans()).toThrow(
    expect.objectContaining({ code: "too_many_open_plans" }),
  );
});
