import { defineService } from "@planwright/shared/service";
import { PlannerConfig } from "./config.ts";
import { startPlanner } from "./start-planner.ts";

/** The planner as its supervisor sees it. */
export const plannerService = defineService({ name: "planner", Config: PlannerConfig, start: startPlanner });
