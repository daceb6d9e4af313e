/** The planner: drafts and revises plans with the model, and dispatches steps that are ready. */
import { runService } from "@planwright/shared/service";
import { plannerService } from "./index.ts";

await runService(plannerService);
