import { PermanentError } from "@planwright/shared/errors";
import { NotDoneError } from "@planwright/tools-kit";

/** Whether a tool's error says that it has not acted. What is wrong with an output says nothing of it. */
export function saysNothingDone(error: unknown): boolean {
  if (error instanceof PermanentError) return error.code !== "invalid_output";
  return error instanceof NotDoneError;
}
