/** The reflector: reviews a plan's results, and answers or requests a revision. */
import { runService } from "@planwright/shared/service";
import { reflectorService } from "./index.ts";

await runService(reflectorService);
