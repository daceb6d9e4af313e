// Services are replaced one by one, as in an upgrade, while plans of every kind run.
import { setTimeout as delay } from "node:timers/promises";
import { SERVICE_NAMES, type ServiceName } from "@planwright/testkit";
import { expect, it } from "vitest";
import { faultyStage } from "./support/faulty-stage.ts";

const stage = await faultyStage();

/** Plans of every kind run for so long before and after a service is replaced. */
const FLOW_MS = 500;

it("breaks no promise while each service is replaced by a new process, which takes over before the old one stops", async () => {
  const { faulty } = stage;
  const exitCodes: (number | null)[] = [];
  const broken = await faulty.during(async () => {
    for (const name of SERVICE_NAMES) {
      await delay(FLOW_MS);
      exitCodes.push(await replace(name));
    }
    await delay(FLOW_MS);
  });
  expect(broken).toEqual([]);
  expect(exitCodes).toEqual(SERVICE_NAMES.map(() => 0));
});

/** @returns The exit code of the one that is replaced. */
async function replace(name: ServiceName): Promise<number | null> {
  const { system } = stage.faulty;
  const [old] = system.processes(name).filter((process) => process.isRunning());
  if (old === undefined) throw new Error(`wanted a ${name} that runs`);
  // Two gateways cannot listen on one port: without a load balancer, clients come back.
  if (name !== "gateway") await system.start(name);
  const code = await old.stop();
  if (name === "gateway") await system.start(name);
  return code;
}
