import { ApiError } from "./api-error.ts";

/** Whatever was thrown, as something that can be shown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(message, { status: 0, code: "unexpected" }, { cause: error });
}
