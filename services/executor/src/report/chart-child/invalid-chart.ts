import { PermanentError } from "@planwright/shared/errors";

/** @param field - Path in the arguments, such as `spec.encoding.x.field`. */
export function invalidChart(field: string, fault: string): PermanentError {
  return new PermanentError(`${field}: ${fault}`, { code: "invalid_chart" });
}
