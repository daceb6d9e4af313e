import type { PlanRules } from "./plan-rules.ts";
import { AGENT_REACT, isOwnerTool } from "../language/tool-names.ts";
import { LIMITS } from "../values/limits.ts";
import {
  findReferences,
  isReferenceObject,
  parseItemReference,
  parseReference,
} from "../language/references.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { checkAgent, checkLoopTools } from "./check-agent.ts";
import { checkArguments } from "./check-final-arguments.ts";
import { checkReference, type KnownSteps, checkVerified } from "./check-ties.ts";
import { quote, quoteAll, pathText } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import { jsonBytes } from "./json-bytes.ts";
import { didYouMean } from "./nearest-name.ts";
import type { StepParts } from "./read-step.ts";
import { referencesIn } from "../language/condition.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import type { JsonObject } from "../values/json.ts";
import { findSecrets } from "../arguments/secret-references.ts";
import { secretFault } from "../arguments/secret-fault.ts";

/** Reports faults in a step's tool, dependencies and arguments. */
export function checkParts(parts: StepParts, rules: PlanRules, known: KnownSteps, issues: IssueList): void {
  const spec = checkTool(parts, rules, issues);
  checkAgent(parts, rules, issues);
  checkLoopTools(parts, rules, issues);
  checkDependsOn(parts, known, issues);
  checkArgs(parts, spec, { rules, known, issues });
  checkCondition(parts, known, issues);
  checkList(parts, known, issues);
  checkVerified(parts, known, issues);
  if (parts.compensate === undefined) return;
  if (spec?.effect === "read") {
    issues.addToStep("needless_compensation", parts.place, () => ({
      field: "compensate",
      message: `wanted no compensation for a step that changes nothing, got one for ${spec.name}`,
    }));
  }
  checkCompensation(parts, parts.compensate, { rules, issues });
}

type Checking = { readonly rules: PlanRules; readonly known: KnownSteps; readonly issues: IssueList };

/** A compensation runs after its step has succeeded. It can use that step's output and the outputs of its dependencies. */
function checkCompensation(
  { id, args = {}, dependsOn, place }: StepParts,
  compensate: NonNullable<StepParts["compensate"]>,
  { rules, issues }: Omit<Checking, "known">,
): void {
  const needed = findReferences(args).references.map(({ stepId }) => stepId);
  const there = new Set<string>([...(id === undefined ? [] : [id]), ...dependsOn, ...needed]);
  const known: KnownSteps = {
    has: (other) => there.has(other),
    ids: () => there.keys(),
    called: "the step itself or a step that it depends on",
  };
  const parts = {
    ...compensate,
    id: undefined,
    dependsOn: [],
    when: undefined,
    forEach: undefined,
    verifies: undefined,
    fallback: undefined,
    place: { ...place, within: "compensate" },
  };
  const { tool } = compensate;
  if (tool !== undefined && (isOwnerTool(tool) || tool === AGENT_REACT)) {
    issues.addToStep("tool_not_allowed", parts.place, () => ({
      field: "tool",
      message: `wanted a tool that a worker runs in one call, got ${quote(tool)}: a step cannot be undone by it`,
    }));
    return;
  }
  checkAgent(parts, rules, issues);
  checkArgs(parts, checkTool(parts, rules, issues), { rules, known, issues });
}

function checkArgs(parts: StepParts, spec: ToolSpec | undefined, { rules, known, issues }: Checking): void {
  const { args, place } = parts;
  if (args === undefined) return;
  if (isReferenceObject(args)) {
    issues.addToStep("malformed_reference", place, () => ({
      field: "args",
      message: `wanted arguments by name, got one reference for all of them`,
    }));
    return;
  }
  checkReferences({ ...parts, args }, known, issues);
  const { argsBytesMax } = rules.limits ?? LIMITS;
  const bytes = jsonBytes(args);
  if (bytes > argsBytesMax) {
    issues.addToStep("args_too_large", place, () => ({
      field: "args",
      message: `wanted at most ${argsBytesMax} bytes of arguments as JSON, got ${bytes}`,
    }));
  } else if (spec !== undefined) {
    checkArguments(args, spec, place, issues);
    checkSecrets({ args, place }, { spec, rules, issues });
  }
}

function checkTool({ tool, place }: StepParts, rules: PlanRules, issues: IssueList): ToolSpec | undefined {
  if (tool === undefined) return undefined;
  const { tools, allowed } = rules;
  const spec = tools.get(tool);
  const usable = allowed ?? [...tools.keys()];
  if (spec === undefined) {
    issues.addToStep("unknown_tool", place, () => ({
      field: "tool",
      message: `there is no tool ${quote(tool)}${didYouMean(tool, usable) || `; there are ${quoteAll(usable)}`}`,
    }));
  } else if (allowed?.includes(tool) === false) {
    issues.addToStep("tool_not_allowed", place, () => ({
      field: "tool",
      message: `this plan may not use ${quote(tool)}; it may use ${quoteAll(allowed)}`,
    }));
  }
  return spec;
}

function checkDependsOn({ id, dependsOn, place }: StepParts, known: KnownSteps, issues: IssueList): void {
  for (const [index, other] of dependsOn.entries()) {
    const field = `dependsOn[${index}]`;
    if (other === id) {
      issues.addToStep("self_dependency", place, () => ({
        field,
        message: `wanted other steps to wait for, got the step itself`,
      }));
    } else if (!known.has(other)) {
      issues.addToStep("unknown_dependency", place, () => ({
        field,
        message: `wanted ${known.called}, got ${quote(other)}${didYouMean(other, known.ids())}`,
      }));
    }
  }
}

type PartsWithArgs = StepParts & { readonly args: NonNullable<StepParts["args"]> };

function checkReferences(parts: PartsWithArgs, known: KnownSteps, issues: IssueList): void {
  const { args, forEach, place } = parts;
  const { references, malformed } = findReferences(args, { forEach });
  for (const { field, text } of malformed) {
    issues.addToStep("malformed_reference", place, () => ({
      field: `args.${field}`,
      message:
        parseItemReference(text) === undefined
          ? `wanted a reference such as s1.output.rows[0].name, got ${quote(text)}`
          : `wanted item only in a step with forEach, got ${quote(text)}`,
    }));
  }
  for (const { field, ...reference } of references) {
    checkReference(parts, { ...reference, field: `args.${field}` }, { known, issues });
  }
}

/** Reports a step's condition that cannot be parsed, or that refers to steps that it must not use. */
function checkCondition(
  { id, when, place }: Pick<StepParts, "id" | "when" | "place">,
  known: KnownSteps,
  issues: IssueList,
): void {
  if (when === undefined) return;
  const parsed = parseCondition(when);
  if ("fault" in parsed) {
    issues.addToStep("malformed_condition", place, () => ({ field: "when", message: parsed.fault }));
    return;
  }
  const references = referencesIn(parsed.condition);
  if (references.length === 0) {
    issues.addToStep("malformed_condition", place, () => ({
      field: "when",
      message: `wanted a condition over results, got one that refers to none: ${quote(when)}`,
    }));
  }
  for (const { stepId, text } of references) {
    checkReference({ id, place }, { field: "when", stepId, text }, { known, issues });
  }
}

/** Reports faults in a step's `forEach`. Whether a reference resolves to a list is only known at run time. */
function checkList(
  { id, forEach, compensate, isReviewed, place }: StepParts,
  known: KnownSteps,
  issues: IssueList,
): void {
  if (forEach === undefined) return;
  if (compensate !== undefined) {
    issues.addToStep("compensated_items", place, () => ({
      field: "compensate",
      message: "wanted no compensation for a step that runs for each of a list: what it did is not undone",
    }));
  }
  if (isReviewed === true) {
    issues.addToStep("reviewed_items", place, () => ({
      field: "review",
      message:
        "wanted no review of a step that runs for each of a list: its results are not judged one by one",
    }));
  }
  if (isReferenceObject(forEach)) {
    const reference = parseReference(forEach.$ref);
    if (reference === undefined) {
      issues.addToStep("malformed_reference", place, () => ({
        field: "forEach",
        message: `wanted a reference to a list, such as s1.output.rows, got ${quote(forEach.$ref)}`,
      }));
    } else checkReference({ id, place }, { ...reference, field: "forEach" }, { known, issues });
    return;
  }
  const { references, malformed, secrets } = findReferences({ forEach });
  const named = secrets.map(({ name, field }) => ({ field, text: `secret.${name}` }));
  for (const { field, text } of [...references, ...malformed, ...named]) {
    issues.addToStep("malformed_reference", place, () => ({
      field,
      message: `wanted values, or one reference to a list, got a reference inside of a list: ${quote(text)}`,
    }));
  }
}

/**
 * Reports references to secrets that the step's tool may not use, as far as this is known before the step runs. The executor
 * makes the final decision: only it has the authoritative rules and the values.
 */
function checkSecrets(
  { args, place }: Pick<StepParts, "place"> & { readonly args: JsonObject },
  { spec, rules, issues }: { readonly spec: ToolSpec; readonly rules: PlanRules; readonly issues: IssueList },
): void {
  const { name: tool, secrets: uses = [] } = spec;
  const isLoop = tool === AGENT_REACT || tool === CODE_RUN;
  for (const reference of findSecrets(args)) {
    const { name, path } = reference;
    // A loop gets only the name; its calls are checked when it makes them.
    const fault = isLoop
      ? unknownTo(rules, name)
      : secretFault({ tool, uses, args, isResolved: false }, reference);
    if (fault === undefined) continue;
    const field = pathText("args", path);
    const hint =
      fault.code === "unknown_secret" ? usersOf(rules, name) || didYouMean(name, namesOf(rules)) : "";
    issues.addToStep(fault.code, place, () => ({ field, message: fault.message + hint }));
  }
}

function unknownTo(rules: PlanRules, name: string) {
  if (namesOf(rules).includes(name)) return undefined;
  return { code: "unknown_secret", message: `there is no secret ${name}` } as const;
}

function namesOf({ tools }: PlanRules): string[] {
  return [...new Set([...tools.values()].flatMap(({ secrets = [] }) => secrets.map(({ name }) => name)))];
}

function usersOf({ tools }: PlanRules, name: string): string {
  const users = [...tools.values()].filter(({ secrets = [] }) => secrets.some((use) => use.name === name));
  return users.length === 0 ? "" : `; the secret is for ${users.map((tool) => tool.name).join(", ")}`;
}
