/** The most frequent event by far, a step's plain success, is recognised by its form: that costs less than to parse it. */
import { isObject } from "../values/json.ts";

/**
 * Whether a value is a success whose output stands in it, without usage or files: the shape that the schema would
 * return unchanged. What it does not look at (the form of ids and times) its writer has made sure of, and no fold
 * relies on it.
 */
export function isPlainSuccess(value: unknown): boolean {
  if (!isObject(value) || value["type"] !== "step.succeeded") return false;
  const { id, planId, at, data } = value;
  if (typeof id !== "string" || typeof planId !== "string" || typeof at !== "string") return false;
  if (
    !isObject(data) ||
    data["usage"] !== undefined ||
    data["forfeited"] !== undefined ||
    data["facts"] !== undefined ||
    data["replan"] !== undefined ||
    !isEmptyList(data["artifacts"])
  )
    return false;
  const { stepId, item, attempt, unit, pool, workerId, startedAt, durationMs, output } = data;
  return (
    (unit === undefined || typeof unit === "string") &&
    (pool === undefined || typeof pool === "string") &&
    data["undo"] === undefined &&
    typeof stepId === "string" &&
    isCount(item, 0) &&
    isCount(attempt, 1) &&
    typeof workerId === "string" &&
    typeof startedAt === "string" &&
    typeof durationMs === "number" &&
    durationMs >= 0 &&
    isObject(output) &&
    output["value"] !== undefined &&
    output["artifact"] === undefined
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isCount(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}
