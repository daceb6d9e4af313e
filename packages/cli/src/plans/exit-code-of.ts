import type { PlanView } from "@planwright/plan";
import { EXIT, type ExitCode } from "../exit-codes.ts";

/** What a script is told of a plan that has ended, or waits. */
export function exitCodeOf({ status }: Pick<PlanView, "status">): ExitCode {
  if (status === "failed") return EXIT.planFailed;
  if (status === "cancelled") return EXIT.planCancelled;
  return status === "awaiting-approval" ? EXIT.needsApproval : EXIT.done;
}
