/** The reflector: judges a plan's results, and answers or asks for a revision. */
import { runService } from "@planwright/shared/service";
import { reflectorService } from "./index.ts";

await runService(reflectorService);
