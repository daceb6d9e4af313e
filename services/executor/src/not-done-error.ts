import { PermanentError } from "@planwright/shared/errors";
import { NotDoneError } from "@planwright/tools-kit";

/** Whether a tool's error says that it has not acted. An invalid output says nothing about that. */
export function saysNothingDone(error: unknown): boolean {
  if (error instanceof PermanentError) return error.code !== "invalid_output";
  return error instanceof NotDoneError;
}
