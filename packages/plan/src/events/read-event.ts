import type { z } from "zod";
import { isObject } from "../values/json.ts";
import { PlanEvent } from "./plan-event.ts";

/**
 * Reads a fact that came out of the log. The most frequent one by far, a step's plain success, is recognised by
 * its form; everything else is parsed.
 *
 * @param value - Decoded JSON.
 * @returns What is wrong with it when it is no fact that this version knows.
 */
export function readEvent(
  value: unknown,
): { readonly event: PlanEvent } | { readonly issues: readonly z.core.$ZodIssue[] } {
  if (isPlainSuccess(value)) return { event: value };
  const parsed = PlanEvent.safeParse(value);
  return parsed.success ? { event: parsed.data } : { issues: parsed.error.issues };
}

/**
 * A fact as its writer stores it.
 *
 * @throws {z.ZodError} When it is none: a fault of the writer.
 */
export function eventOf(value: unknown): PlanEvent {
  return isPlainSuccess(value) ? value : PlanEvent.parse(value);
}

/**
 * Whether a value is a success whose output stands in it, without usage or files: the shape that the schema would
 * return unchanged. What it does not look at (the form of ids and times) its writer has made sure of, and no fold
 * relies on it.
 */
function isPlainSuccess(value: unknown): value is PlanEvent & { type: "step.succeeded" } {
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
  const { stepId, item, attempt, via, pool, workerId, startedAt, durationMs, output, next } = data;
  return (
    isVia(via) &&
    (pool === undefined || typeof pool === "string") &&
    data["undo"] === undefined &&
    (next === undefined || typeof next === "string") &&
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

function isVia(value: unknown): boolean {
  if (value === undefined) return true;
  return isObject(value) && typeof value["stepId"] === "string" && isCount(value["attempt"], 1);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isCount(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}
