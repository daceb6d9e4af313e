/** The executor: takes steps off the queues of its pools, runs each with its tool, reports the outcome. */
import { runService } from "@planwright/shared/service";
import { executorService } from "./index.ts";

await runService(executorService);
