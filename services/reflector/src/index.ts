import { defineService } from "@planwright/shared/service";
import { ReflectorConfig } from "./config.ts";
import { runReflector } from "./run-reflector.ts";

export { startReflector, type ReflectorDeps } from "./start-reflector.ts";

/** The reflector as its supervisor sees it. */
export const reflectorService = defineService({
  name: "reflector",
  Config: ReflectorConfig,
  start: runReflector,
});
