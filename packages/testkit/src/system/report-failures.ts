/** Set up for each test file: a failing test prints the events of the plans that it has submitted. */
import { afterEach, beforeEach } from "vitest";
import { plansReport, runningSystems } from "./plans-report.ts";

let before = new Map<object, number>();

beforeEach(() => {
  before = new Map([...runningSystems].map((system) => [system, system.client.submitted.length]));
});

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const system of runningSystems) {
    const planIds = system.client.submitted.slice(before.get(system) ?? 0);
    if (planIds.length > 0) console.error(`${task.name}\n${await plansReport(system, planIds)}`);
  }
});
