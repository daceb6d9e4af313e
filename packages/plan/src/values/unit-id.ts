/** Names of work units: the first step of the unit and, after it has been returned by other units, a number. */
import type { UnitId } from "../events/values.ts";
import type { StepId } from "./ids.ts";

/** @param times - How many units have returned the step before. */
export function unitId(first: StepId, times: number): UnitId {
  // No step id has a tilde.
  const name: string = times === 0 ? first : `${first}~${times + 1}`;
  return name as UnitId;
}

export function firstStepOf(unit: UnitId): StepId {
  return unit.replace(/~.*/, "") as StepId;
}
