import type { PlanView } from "@planwright/plan";
import { isRefusal } from "@planwright/plan/status-label";
import { EXIT, type ExitCode } from "../exit-codes.ts";

/** Returns the exit code for a plan that has ended or is waiting; docs/plan-status.md lists them. */
export function exitCodeOf({ status, answer }: Pick<PlanView, "status" | "answer">): ExitCode {
  if (isRefusal(status, answer?.status)) return EXIT.goalRefused;
  switch (status) {
    case "partial":
      return EXIT.planPartial;
    case "failed":
      return EXIT.planFailed;
    case "cancelled":
      return EXIT.planCancelled;
    case "awaiting-approval":
      return EXIT.needsApproval;
    default:
      return EXIT.done;
  }
}
