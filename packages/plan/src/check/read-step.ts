import type { z } from "zod";
import { StepId } from "../values/ids.ts";
import { isObject, type JsonObject } from "../values/json.ts";
import { Step } from "../language/plan-language.ts";
import { stepFieldFor } from "../draft/field-names.ts";
import { pathText, quote } from "./describe-value.ts";
import { describeZodIssue } from "./describe-zod-issue.ts";
import type { IssueCode, IssueList, Saying, StepPlace } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
import { scanValue } from "./scan-value.ts";

/** The readable parts of a step, even if other parts are malformed. */
export type StepParts = {
  readonly place: StepPlace;
  readonly id: StepId | undefined;
  readonly tool: string | undefined;
  readonly agent?: string | undefined;
  /** Absent also when they cannot be walked: nested too deep, or not JSON. */
  readonly args: JsonObject | undefined;
  readonly dependsOn: readonly StepId[];
  readonly when: string | undefined;
  readonly forEach: Step["forEach"];
  readonly verifies: StepId | undefined;
  readonly fallback: StepId | undefined;
  readonly isReviewed?: boolean;
  readonly compensate?: Pick<StepParts, "tool" | "args" | "agent">;
};

export type ReadStep = { readonly step: Step | undefined; readonly parts: StepParts };

/** Reads a step and reports faults in its shape, whatever its tool. */
export function readStep(input: unknown, index: number, issues: IssueList): ReadStep {
  const fields = isObject(input) ? input : {};
  const id = StepId.safeParse(fields["id"]).data;
  const place: StepPlace = { stepId: id, path: `steps[${index}]` };
  const walkable = scanValue(input, 0, (code, say) => issues.addToStep(code, place, say));
  const parsed = Step.safeParse(input);
  if (parsed.success) {
    const { tool, agent, args, compensate, ...step } = parsed.data;
    const { dependsOn, when, forEach, verifies, fallback, review } = step;
    const ties = { dependsOn, when, forEach, verifies, fallback };
    const parts = {
      place,
      id,
      tool,
      agent,
      args: walkable ? args : undefined,
      isReviewed: review !== undefined,
      ...ties,
    };
    if (compensate === undefined || !walkable) return { step: parsed.data, parts };
    return { step: parsed.data, parts: { ...parts, compensate } };
  }
  const known = { names: Object.keys(Step.shape), fieldFor: stepFieldFor };
  noteShape(parsed.error, input, known, (code, say) => issues.addToStep(code, place, say));
  const { tool, agent, args, dependsOn, when, forEach, verifies, fallback } = Step.shape;
  return {
    step: undefined,
    parts: {
      place,
      id,
      tool: tool.safeParse(fields["tool"]).data,
      agent: agent.safeParse(fields["agent"]).data,
      args: walkable ? args.safeParse(fields["args"]).data : undefined,
      dependsOn: dependsOn.safeParse(fields["dependsOn"]).data ?? [],
      when: when.safeParse(fields["when"]).data,
      forEach: walkable ? forEach.safeParse(fields["forEach"]).data : undefined,
      verifies: verifies.safeParse(fields["verifies"]).data,
      fallback: fallback.safeParse(fields["fallback"]).data,
    },
  };
}

/** Reports each fault of a shape; unknown fields one by one, with a suggested name. */
export function noteShape(
  error: z.ZodError,
  input: unknown,
  known: { readonly names: readonly string[]; readonly fieldFor: typeof stepFieldFor },
  note: (code: IssueCode, say: Saying) => void,
): void {
  for (const issue of error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        note("malformed", () => ({
          field: pathText("", [...issue.path, key]),
          message: issue.path.length === 0 ? unknownField(key, known) : "there is no such field",
        }));
      }
    } else {
      note("malformed", () => ({
        field: pathText("", issue.path),
        message: describeZodIssue(issue, valueAtPath(input, issue.path)),
      }));
    }
  }
}

function unknownField(
  key: string,
  { names, fieldFor }: { readonly names: readonly string[]; readonly fieldFor: typeof stepFieldFor },
): string {
  const meant = fieldFor(key, names);
  if (meant !== undefined) return `unknown field ${quote(key)}: use ${quote(meant)}`;
  return `there is no such field${didYouMean(key, names)}`;
}

function valueAtPath(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, part) ? value[String(part)] : undefined;
  }
  return value;
}
