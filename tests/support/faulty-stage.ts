import {
  type FaultySystem,
  faultySystemOn,
  FLOW_SCRIPT,
  startFlowSurroundings,
  SERVICE_NAMES,
} from "@planwright/testkit";
import { afterAll, beforeAll } from "vitest";
import { sharedSystem } from "./shared-system.ts";

/** There once the tests have begun. */
export type FaultyStage = { readonly faulty: FaultySystem };

/** Plans that never stop coming, on the system that the files of this process share. */
export async function faultyStage(): Promise<FaultyStage> {
  const surroundings = await startFlowSurroundings();
  const shared = sharedSystem({ alone: SERVICE_NAMES, services: { executor: surroundings.env } });
  let faulty: FaultySystem | undefined;
  beforeAll(async () => {
    shared.model.play(FLOW_SCRIPT);
    faulty = await faultySystemOn(shared.system, surroundings);
  });
  afterAll(async () => {
    await faulty?.[Symbol.asyncDispose]();
    await surroundings[Symbol.asyncDispose]();
  });
  return {
    get faulty() {
      if (faulty === undefined) throw new Error("the system has not been started yet");
      return faulty;
    },
  };
}
