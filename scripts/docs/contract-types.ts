/** The contract as plain TypeScript types, for the client: its users see no schemas in their editors. */
import * as api from "@planwright/api";
import * as plan from "@planwright/plan";
import { z } from "zod";

/** Which form of a schema's type is generated: as received, or as sent. */
type Use = "output" | "input";
type Schema = z.core.$ZodTypes;

/** The types that the client receives. */
const RECEIVED = {
  Accepted: api.Accepted,
  Answer: api.Answer,
  AnswerStatus: api.AnswerStatus,
  ApprovalDecision: api.ApprovalDecision,
  ApprovalView: api.ApprovalView,
  ArtifactRef: api.ArtifactRef,
  AuditBreak: api.AuditBreak,
  AuditEntry: api.AuditEntry,
  Caller: api.Caller,
  CreatedKey: api.CreatedKey,
  CreateKeyBody: api.CreateKeyBody,
  Compensation: plan.Compensation,
  DeadLetter: api.DeadLetter,
  DeadLetterDetail: api.DeadLetterDetail,
  DeadLetterPage: api.DeadLetterPage,
  DiscardedMany: api.DiscardedMany,
  DecisionBody: api.DecisionBody,
  EventPage: api.EventPage,
  Feedback: api.Feedback,
  FeedbackBody: api.FeedbackBody,
  FieldIssue: api.FieldIssue,
  KeyInfo: api.KeyInfo,
  KeyList: api.KeyList,
  Metrics: api.Metrics,
  MetricsRange: api.MetricsRange,
  ModelCheck: api.ModelCheck,
  NumberedEvent: api.NumberedEvent,
  PendingApproval: api.PendingApproval,
  PendingApprovals: api.PendingApprovals,
  Period: api.Period,
  PlanCheck: api.PlanCheck,
  PlanCounts: api.PlanCounts,
  PlanSort: api.PlanSort,
  SortOrder: api.SortOrder,
  PlanEvent: api.PlanEvent,
  PlanPage: api.PlanPage,
  PlanState: api.PlanState,
  PlanStatus: api.PlanStatus,
  PlanSummary: api.PlanSummary,
  PlanView: api.PlanView,
  Preview: api.Preview,
  ProblemBody: api.ProblemBody,
  Quota: api.Quota,
  QuotaList: api.QuotaList,
  Retried: api.Retried,
  RetriedMany: api.RetriedMany,
  ServerMessage: api.ServerMessage,
  SignedOut: api.SignedOut,
  SignInOptions: api.SignInOptions,
  SourceFromConfig: api.SourceFromConfig,
  SourceInfo: api.SourceInfo,
  Step: api.Step,
  StepView: api.StepView,
  Submission: api.Submission,
  System: api.System,
  Tools: api.Tools,
  ToolSpec: api.ToolSpec,
  Trace: api.Trace,
  WhichDeadLetters: api.WhichDeadLetters,
  Worker: api.Worker,
  Workers: api.Workers,
} satisfies Readonly<Record<string, z.ZodType>>;

/** The types that the client sends, where they differ from the parsed form. */
const SENT = {
  ClientMessageInput: api.ClientMessage,
  PlanFilter: api.PlanFilter,
  SubmissionInput: api.SubmissionBody,
} satisfies Readonly<Record<string, z.ZodType>>;

const PLAIN = ["string", "number", "boolean", "null", "undefined", "unknown", "any", "never"];
/** A longer union has one line per type. */
const LINE_CHARS_MAX = 100;
const HEAD = `/**
 * The contract as plain types. Written by \`npm run docs\` from the schemas of packages/api; a test holds each type to
 * that of its schema.
 */

/** What \`JSON.parse\` can yield. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
`;

/** Generates the module of all types that the client imports. */
export function contractTypes(): string {
  const written = new Map<string, string>();
  const names = namesOfSchemas();
  const writer: Writer = {
    nameOf: (schema, use) => {
      const name = names.get(schema._zod.def);
      if (name === undefined) return undefined;
      const shown = use === "input" && isChangedByParsing(schema) ? `${name}Input` : name;
      write(shown, schema, use);
      return shown;
    },
  };
  const write = (name: string, schema: Schema, use: Use): void => {
    if (written.has(name)) return;
    // Registered before it is generated: schemas can be recursive.
    written.set(name, "");
    const text = typeOf({ schema, use, writer, isTop: true });
    written.set(
      name,
      `${commentOf(schema)}export type ${name} =${text.startsWith("\n") ? "" : " "}${text};\n`,
    );
  };
  for (const [name, schema] of Object.entries(RECEIVED)) write(name, schema, "output");
  for (const [name, schema] of Object.entries(SENT)) write(name, schema, "input");
  const codes = Object.keys(api.PROBLEMS).map((code) => JSON.stringify(code));
  written.set(
    "ProblemCode",
    `/** Why the gateway refused. */\nexport type ProblemCode =${unionOf(codes)};\n`,
  );
  const answers = api.ENDPOINTS.map(({ id, responses }) => `  ${id}: ${answerOf(responses, writer)};\n`);
  const types = [...written].toSorted(([left], [right]) => left.localeCompare(right, "en"));
  return `${HEAD}
/** The JSON that each endpoint answers with. */
export type Answers = {\n${answers.join("")}};

/** What the gateway sends, by name. */
export type Received = {\n${Object.keys(RECEIVED)
    .map((name) => `  ${name}: ${name};\n`)
    .join("")}};

${types.map(([, text]) => text).join("\n")}`;
}

type Writer = {
  /** The name of a schema's type, which is then generated too; undefined when it has none. */
  readonly nameOf: (schema: Schema, use: Use) => string | undefined;
};

type Place = {
  readonly schema: Schema;
  readonly use: Use;
  readonly writer: Writer;
  /** Whether this is the definition of the name, which must not be replaced by the name. */
  readonly isTop?: boolean;
};

/** A schema with another description or check is a separate schema, but has the same definition. */
function namesOfSchemas(): ReadonlyMap<object, string> {
  const named = Object.entries({ ...plan, ...api, ...RECEIVED }).flatMap(([name, value]) =>
    value instanceof z.ZodType && !isPlain(value as unknown as Schema)
      ? [[(value as unknown as Schema)._zod.def, name] as const]
      : [],
  );
  return new Map(named);
}

function isPlain(schema: Schema): boolean {
  return (
    isJson(schema) || isSame(schema, plan.JsonObject) || ["literal", ...PLAIN].includes(schema._zod.def.type)
  );
}

function isJson(schema: z.core.$ZodType): boolean {
  return isSame(schema, plan.JsonValue);
}

function isSame(left: z.core.$ZodType, right: z.core.$ZodType): boolean {
  return left._zod.def === right._zod.def;
}

function typeOf(place: Place): string {
  const { schema, use, writer, isTop = false } = place;
  const name = isTop ? undefined : writer.nameOf(schema, use);
  if (name !== undefined) return name;
  if (isJson(schema)) return use === "input" ? "unknown" : "Json";
  if (isSame(schema, plan.JsonObject) && use === "output") return "JsonObject";
  const inner = (one: z.core.$ZodType): string => typeOf({ schema: one as Schema, use, writer });
  const { def } = schema._zod;
  switch (def.type) {
    case "literal":
      return unionOf(def.values.map((value) => JSON.stringify(value)));
    case "enum":
      return unionOf(Object.values(def.entries).map((value) => JSON.stringify(value)));
    case "union":
      return unionOf(def.options.map(inner));
    case "nullable":
      return unionOf([inner(def.innerType), "null"]);
    case "optional":
      return unionOf([inner(def.innerType), "undefined"]);
    case "nonoptional":
      return inner(def.innerType).replace(/ \| undefined$/, "");
    case "default":
    case "prefault":
      return use === "input" ? unionOf([inner(def.innerType), "undefined"]) : inner(def.innerType);
    case "pipe":
      return inner(use === "input" ? def.in : def.out);
    case "array":
      return `${use === "input" ? "readonly " : ""}${listOf(inner(def.element))}`;
    case "tuple":
      return `[${def.items.map(inner).join(", ")}]`;
    case "record":
      return use === "input"
        ? `Readonly<Record<${inner(def.keyType)}, ${inner(def.valueType)}>>`
        : `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`;
    case "object":
      return objectOf({ shape: def.shape, catchall: def.catchall, place });
    default:
      if (PLAIN.includes(def.type)) return def.type;
      throw new Error(`a schema of the kind ${def.type} has no plain type here yet: add it`);
  }
}

function objectOf({
  shape,
  catchall,
  place: { use, writer },
}: {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall: z.core.$ZodType | undefined;
  readonly place: Place;
}): string {
  const fields = Object.entries(shape).map(([name, one]) => {
    const schema = one as Schema;
    const isOptional = (use === "input" ? schema._zod.optin : schema._zod.optout) !== undefined;
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const field = `${use === "input" ? "readonly " : ""}${key}${isOptional ? "?" : ""}`;
    return `${commentOf(schema)}${field}: ${typeOf({ schema, use, writer })};\n`;
  });
  const isLoose = catchall !== undefined && catchall._zod.def.type !== "never";
  if (isLoose) fields.push(`[key: string]: ${typeOf({ schema: catchall as Schema, use, writer })};\n`);
  return fields.length === 0 ? "Record<string, never>" : `{\n${indent(fields.join(""))}}`;
}

/** Whether the sent form of a schema's type differs: it contains defaults, or lists, which are only there read-only. */
function isChangedByParsing(schema: Schema): boolean {
  const writer: Writer = { nameOf: () => undefined };
  const [received, sent] = (["output", "input"] as const).map((use) => typeOf({ schema, use, writer }));
  return received !== sent;
}

function answerOf(responses: Readonly<Record<number, unknown>>, writer: Writer): string {
  const answers = Object.values(responses).flatMap((one) =>
    one instanceof z.ZodType ? [typeOf({ schema: one as unknown as Schema, use: "output", writer })] : [],
  );
  return answers.length === 0 ? "never" : unionOf(answers);
}

function listOf(element: string): string {
  return /^(?:[\w$]+|\[.*\]|\{[^|]*\})$/s.test(element) ? `${element}[]` : `(${element})[]`;
}

function unionOf(types: readonly string[]): string {
  const unique = [...new Set(types.flatMap((type) => (/[[{(<]/.test(type) ? [type] : type.split(" | "))))];
  if (unique.includes("unknown")) return "unknown";
  const line = unique.join(" | ");
  return line.length <= LINE_CHARS_MAX || line.includes("\n")
    ? line
    : `\n${indent(`| ${unique.join("\n| ")}`)}`;
}

/** A description as a comment, shown by editors. */
function commentOf(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {};
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "*\\/")} */\n`;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
