import type { PlanDocument, Step } from "../../language/plan-language.ts";
import type { Json, JsonObject } from "../../values/json.ts";
import { isObject } from "../../values/json-guards.ts";

type Check = (value: Json | undefined) => boolean;
const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";

const FIELDS: Readonly<Record<keyof Step, Check>> = {
  id: isText,
  description: isText,
  tool: isText,
  args: isObject,
  dependsOn: (value) => Array.isArray(value) && value.every(isText),
  when: isText,
  forEach: (value) => Array.isArray(value) || (isObject(value) && isText(value["$ref"])),
  verifies: isText,
  fallback: isText,
  successCriteria: isText,
  expectedOutput: isText,
  review: isObject,
  compensate: (value) => isObject(value) && isText(value["tool"]) && isObject(value["args"]),
  agent: isText,
  model: isText,
  timeoutMs: isNumber,
  retry: isObject,
  confidence: isNumber,
};

/**
 * Returns the plan in a reviewer's edits, or undefined if they are no plan.
 *
 * The gateway has checked the plan against its schema before it stored the decision. This checks only what the state
 * machine relies on, because pages fold logs without schemas.
 */
export function editedPlan({
  steps,
  answerFrom,
}: JsonObject): Pick<PlanDocument, "steps" | "answerFrom"> | undefined {
  if (!Array.isArray(steps) || steps.length === 0 || !(answerFrom === undefined || isText(answerFrom)))
    return undefined;
  const planned = steps.flatMap((step) => stepIn(step) ?? []);
  return planned.length === steps.length
    ? { steps: planned, answerFrom: answerFrom as Step["id"] | undefined }
    : undefined;
}

function stepIn(value: Json): Step | undefined {
  if (!isObject(value) || !isText(value["id"]) || !isText(value["tool"])) return undefined;
  const step = { description: "", args: {}, dependsOn: [], ...value };
  const checks: Readonly<Record<string, Check>> = FIELDS;
  const isStep = Object.entries(step).every(([name, one]) => checks[name]?.(one) === true);
  return isStep ? (step as unknown as Step) : undefined;
}
