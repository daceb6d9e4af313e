/** Builds the submission from the filled-in form. */
import type { GoalRequest, JsonObject, Preview, Strategy } from "../api/api-types.ts";
import { readJsonObject } from "../values/read-json.ts";
import { REQUEST_OF } from "./submit-words.ts";

export const RISKS = ["high", "medium", "low", "never"] as const;
export type RiskGate = (typeof RISKS)[number];

export const PRIORITIES = ["low", "normal", "high"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type AttachedText = { readonly name: string; readonly text: string };

/** The fields' contents: empty text means not set. */
export type Options = {
  readonly approvePlan: boolean;
  readonly risk: RiskGate;
  readonly usd: string;
  readonly tokens: string;
  readonly seconds: string;
  /** The maximum number of steps that a model may plan. */
  readonly stepsMin: string;
  readonly stepsMax: string;
  readonly requireSources: boolean;
  readonly priority: Priority;
  /** One constraint per line. */
  readonly constraints: string;
  /** The only sources that the plan can use; all when empty. */
  readonly data: readonly string[];
  /** The only tools that the plan can use; all when empty. */
  readonly tools: readonly string[];
  /** A long text that the goal is about, from a file. */
  readonly text: AttachedText | undefined;
  /** A plan to run unchanged, as JSON. */
  readonly plan: string;
};

export const NO_OPTIONS: Options = {
  approvePlan: false,
  risk: "high",
  usd: "",
  tokens: "",
  seconds: "",
  stepsMin: "",
  stepsMax: "",
  requireSources: false,
  priority: "normal",
  constraints: "",
  data: [],
  tools: [],
  text: undefined,
  plan: "",
};

export type ReadPlan =
  | { readonly kind: "none" }
  | { readonly kind: "plan"; readonly plan: JsonObject }
  | { readonly kind: "invalid"; readonly reason: string };

export function readPlan(text: string): ReadPlan {
  if (text.trim() === "") return { kind: "none" };
  const read = readJsonObject(text, REQUEST_OF.notAnObject);
  return "reason" in read ? { kind: "invalid", reason: read.reason } : { kind: "plan", plan: read.json };
}

/** Only values that differ from the gateway's defaults. */
export function requestOf(goal: string, strategy: Strategy, options: Options): GoalRequest {
  const { approvePlan, risk, requireSources, priority, data, tools, text } = options;
  const constraints = linesOf(options.constraints);
  const budget = budgetOf(options);
  const planSize = numbersOf({ min: options.stepsMin, max: options.stepsMax });
  const approval = { ...(approvePlan ? { plan: true } : {}), ...(risk === "high" ? {} : { risk }) };
  const read = readPlan(options.plan);
  return {
    goal,
    strategy,
    ...(constraints.length === 0 ? {} : { constraints }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(text === undefined ? {} : { input: { text: text.text } }),
    ...(data.length === 0 ? {} : { data }),
    ...(Object.keys(approval).length === 0 ? {} : { approval }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(Object.keys(planSize).length === 0 ? {} : { planSize }),
    ...(requireSources ? { requireSources } : {}),
    ...(priority === "normal" ? {} : { priority }),
    ...(read.kind === "plan" ? { plan: read.plan } : {}),
  };
}

/** The input that the gateway would still require; undefined when nothing is known to be missing. */
export function missingOf({ strategy, data = [], plan }: GoalRequest): string | undefined {
  if (strategy !== "code" || plan !== undefined || data.length > 0) return undefined;
  return REQUEST_OF.codeNeedsData;
}

/** The same request, to run its draft. */
export function planned(request: GoalRequest, { steps, answerFrom, reasoning }: Preview): GoalRequest {
  // The steps already contain its text.
  const { input: _input, ...rest } = request;
  const answer = answerFrom === undefined ? {} : { answerFrom };
  return { ...rest, plan: { steps, ...answer, ...(reasoning === undefined ? {} : { reasoning }) } };
}

/** Number of fields that are set. */
export function countSaid(options: Options): number {
  const { approvePlan, risk, requireSources, priority, usd, tokens, seconds, stepsMin, stepsMax } = options;
  const { constraints, data, tools, plan } = options;
  const fields = [usd, tokens, seconds, stepsMin, stepsMax, constraints, plan];
  const texts = fields.filter((text) => text.trim() !== "");
  return (
    texts.length +
    Number(approvePlan) +
    Number(risk !== "high") +
    Number(requireSources) +
    Number(priority !== "normal") +
    Number(data.length > 0) +
    Number(tools.length > 0)
  );
}

function budgetOf({ usd, tokens, seconds }: Options): Record<string, number> {
  return numbersOf({ usd, tokens, seconds });
}

/** The fields that are set. */
function numbersOf(fields: Readonly<Record<string, string>>): Record<string, number> {
  const said = Object.entries(fields).filter(([, text]) => text.trim() !== "");
  return Object.fromEntries(said.map(([name, text]) => [name, Number(text)]));
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
