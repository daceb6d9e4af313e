import { isUnavailable, StoreFullError } from "@planwright/shared/bus";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import type { ProblemCode } from "@planwright/api";
import { Problem } from "./problem.ts";

const RETRY_AFTER_S = 1;
/** Operators or retention have to free space first. */
const RETRY_WHEN_FULL_S = 30;

/** The framework's own refusals, reworded. */
const FRAMEWORK: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_TYPE: "unsupported_media_type",
  FST_ERR_NOT_FOUND: "not_found",
};

/** Turns any error into the problem that the client may see: an internal error reveals nothing. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreFullError) {
    const message =
      "The store of nats-server is full; accepted work is kept. Free some space, or try again later.";
    return new Problem("store_full", message, { cause: error, retryAfterS: RETRY_WHEN_FULL_S });
  }
  if (error instanceof TransientError || isUnavailable(error)) {
    return new Problem("unavailable", "A part of the system does not answer; try again.", {
      cause: error,
      retryAfterS: RETRY_AFTER_S,
    });
  }
  if (error instanceof PermanentError && error.code.startsWith("artifact_")) {
    return new Problem("invalid_data", error.message, { cause: error });
  }
  const { code, status } = frameworkFault(error);
  const known = FRAMEWORK[code];
  const message = error instanceof Error ? error.message : String(error);
  if (known !== undefined) return new Problem(known, message, { cause: error });
  if (status >= 400 && status < 500) return new Problem("invalid_request", message, { cause: error });
  return new Problem("internal", "The gateway failed; see its log for the cause.", { cause: error });
}

function frameworkFault(error: unknown): { code: string; status: number } {
  if (!(error instanceof Error)) return { code: "", status: 500 };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
  return { code, status };
}
