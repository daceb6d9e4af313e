/** The executor process: takes steps from the queues of its pools, runs each with its tool and reports the outcome. */
import { runService } from "@planwright/shared/service";
import { executorService } from "./index.ts";

await runService(executorService);
