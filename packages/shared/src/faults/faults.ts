/**
 * Fault injection for the tests of the failure contract.
 *
 * Without rules nothing is wrapped: a service that is not under test only pays for one branch
 * when it creates its publisher, its queues and its tools.
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { FaultPoint } from "./fault-points.ts";
import { FaultRule } from "./fault-rules.ts";

export type Faults = {
  /**
   * Counts a passage of a point and applies the matching rule. Does not return from a `kill`.
   *
   * @param point - The point.
   * @param settle - Awaited before this process is killed or stopped, so that earlier messages have arrived.
   */
  pass(point: FaultPoint, settle?: () => Promise<unknown>): Promise<void>;
};

let armed: Faults | undefined;

/** The faults of this process; undefined unless a test requested some. */
export function currentFaults(): Faults | undefined {
  return armed;
}

const Armed = z.object({ PLANWRIGHT_FAULTS: z.array(FaultRule).default([]) });

/** Called once, before the service starts, with its settings. */
export function armFaults(config: Readonly<Record<string, unknown>>): void {
  const rules = Armed.parse(config).PLANWRIGHT_FAULTS;
  armed = rules.length === 0 ? undefined : createFaults(rules);
}

function createFaults(rules: readonly FaultRule[]): Faults {
  const passages = new Map<string, number>();
  return {
    async pass(point, settle) {
      const passage = (passages.get(point) ?? 0) + 1;
      passages.set(point, passage);
      const rule = rules.find((one) => one.point === point && one.passage === passage);
      if (rule === undefined) return;
      await settle?.();
      // Written immediately: buffered output would die with the process.
      writeSync(2, `fault: ${point}, passage ${passage}: ${rule.action}\n`);
      if (typeof rule.action === "number") await delay(rule.action);
      else process.kill(process.pid, rule.action === "kill" ? "SIGKILL" : "SIGSTOP");
    },
  };
}
