/** The named schemas as JSON Schema: each is written once and referenced everywhere else. */
import { z } from "zod";
import {
  PlanDocument,
  Answer,
  ApprovalView,
  ArtifactRef,
  AuditBreak,
  AuditEntry,
  Issue,
  PlanEvent,
  PlanView,
  Step,
  StepView,
  Submission,
  ToolSpec,
  Usage,
} from "@planwright/plan";
import {
  SubmittedPlan,
  CheckBody,
  ForkBody,
  PlanCheck,
  Preview,
  RerunBody,
  SubmissionBody,
} from "./resources/submissions.ts";
import { DecisionBody, PendingApproval, PendingApprovals } from "./resources/approvals.ts";
import { ArtifactList } from "./resources/artifacts.ts";
import { DataSources, SourceFromConfig, SourceInfo } from "./resources/data.ts";
import {
  DeadLetter,
  DeadLetterDetail,
  DeadLetterGroup,
  DeadLetterPage,
  DiscardedMany,
  Retried,
  RetriedMany,
  WhichDeadLetters,
} from "./resources/dead-letters.ts";
import { EventPage, NumberedEvent } from "./events.ts";
import { CreatedKey, CreateKeyBody, KeyInfo, KeyList } from "./resources/keys.ts";
import { Metrics, PlanMetrics } from "./resources/metrics.ts";
import { Caller, SignedOut, SignInOptions } from "./resources/sign-in.ts";
import { Accepted } from "./plan-ids.ts";
import { PlanCount, PlanCounts, PlanPage, PlanSummary } from "./resources/plan-list.ts";
import {
  CancelBody,
  Cancelled,
  Deleting,
  Feedback,
  FeedbackBody,
  PauseBody,
  PlanState,
  ResumeBody,
} from "./resources/plans.ts";
import { FieldIssue, ProblemBody } from "./problems.ts";
import { ClientMessage, ServerMessage } from "./stream.ts";
import { Alive, ModelCheck, ModelChecks, OpenApi, Ready, System } from "./resources/system.ts";
import { AgentInfo, Tools } from "./resources/tools.ts";
import { OtlpAnswer, Span, Trace } from "./resources/traces.ts";
import { Quota, QuotaList } from "./resources/quotas.ts";
import { PoolQueue, Worker, Workers } from "./resources/workers.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;
/** Whether a schema describes input, where fields with a default can be omitted, or output. */
export type SchemaUse = "input" | "output";

export type Components = {
  /** Returns a reference to a named schema; any other schema is written inline. */
  readonly use: (schema: z.ZodType | string, io: SchemaUse) => JsonSchema;
  /** Every schema used so far, and every schema that these refer to. */
  readonly schemas: () => Readonly<Record<string, JsonSchema>>;
};

const PREFIX = "#/components/schemas/";

/**
 * Collects the schemas that a document needs.
 *
 * A schema that is identical for input and output has one entry; otherwise the input schema is called `…Input`.
 */
export function componentsOf(): Components {
  const written = { input: writeAll("input"), output: writeAll("output") };
  const differing = differingNames(written);
  const used = new Map<string, JsonSchema>();
  const names = new Map(Object.entries(SCHEMAS).map(([name, schema]) => [schema, name]));

  const nameOf = (name: string, io: SchemaUse): string =>
    io === "input" && differing.has(name) ? `${name}Input` : name;
  const referTo = (name: string, io: SchemaUse): JsonSchema => {
    const shown = nameOf(name, io);
    if (!used.has(shown)) {
      // Added before it is walked, because schemas may refer to themselves.
      used.set(shown, {});
      used.set(shown, withReferences(written[io][name] ?? {}, io));
    }
    return { $ref: PREFIX + shown };
  };
  const withReferences = (value: JsonSchema, io: SchemaUse): JsonSchema =>
    mapReferences(value, (name) => referTo(name, io)["$ref"] ?? "") as JsonSchema;

  return {
    use(schema, io) {
      const name = typeof schema === "string" ? schema : names.get(schema);
      if (name !== undefined) return referTo(name, io);
      throw new Error("a body or an answer has a schema without a name: add it to SCHEMAS");
    },
    schemas: () => Object.fromEntries([...used].toSorted(([left], [right]) => left.localeCompare(right))),
  };
}

function writeAll(io: SchemaUse): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => PREFIX + id,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      // It has its own checker, which reports faults by step, but is documented like any other plan.
      if (isSame(zodSchema, SubmittedPlan)) jsonSchema.$ref = `${PREFIX}${nameOfSchema(PlanDocument)}`;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}

function nameOfSchema(schema: z.ZodType): string {
  return Object.entries(SCHEMAS).find(([, known]) => isSame(known, schema))?.[0] ?? "";
}

function isSame(left: object, right: object): boolean {
  return left === right;
}

/** The names of schemas that differ between input and output, directly or through a reference. */
function differingNames({
  input,
  output,
}: Readonly<Record<SchemaUse, Readonly<Record<string, JsonSchema>>>>): ReadonlySet<string> {
  const differing = new Set(
    Object.keys(input).filter((name) => JSON.stringify(input[name]) !== JSON.stringify(output[name])),
  );
  for (let size = -1; size !== differing.size; ) {
    size = differing.size;
    for (const [name, schema] of Object.entries(output)) {
      if (referencesIn(schema).some((other) => differing.has(other))) differing.add(name);
    }
  }
  return differing;
}

function referencesIn(schema: JsonSchema): readonly string[] {
  const found: string[] = [];
  mapReferences(schema, (name) => {
    found.push(name);
    return name;
  });
  return found;
}

/** Returns a copy with every reference to a named schema replaced. */
function mapReferences(value: unknown, replace: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapReferences(entry, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) =>
      key === "$ref" && typeof entry === "string" && entry.startsWith(PREFIX)
        ? [key, replace(entry.slice(PREFIX.length))]
        : [key, mapReferences(entry, replace)],
    ),
  );
}

/** The schemas that have a name in the reference: each is a component of `/openapi.json` under this name. */
export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Accepted,
  AgentInfo,
  Alive,
  Answer,
  ApprovalView,
  ArtifactList,
  ArtifactRef,
  AuditBreak,
  AuditEntry,
  Caller,
  CancelBody,
  Cancelled,
  Deleting,
  CheckBody,
  ClientMessage,
  CreatedKey,
  CreateKeyBody,
  DataSources,
  DeadLetter,
  DeadLetterDetail,
  DeadLetterGroup,
  DeadLetterPage,
  DecisionBody,
  DiscardedMany,
  EventPage,
  Feedback,
  FeedbackBody,
  FieldIssue,
  ForkBody,
  Issue,
  KeyInfo,
  KeyList,
  Metrics,
  ModelCheck,
  ModelChecks,
  NumberedEvent,
  OpenApi,
  OtlpAnswer,
  PauseBody,
  PendingApproval,
  PendingApprovals,
  PlanCheck,
  PlanCount,
  PlanCounts,
  PlanDocument,
  PlanEvent,
  PlanMetrics,
  PlanPage,
  PlanState,
  PlanSummary,
  PlanView,
  PoolQueue,
  Preview,
  ProblemBody,
  Ready,
  RerunBody,
  ResumeBody,
  Quota,
  QuotaList,
  Retried,
  RetriedMany,
  ServerMessage,
  SignedOut,
  SignInOptions,
  SourceFromConfig,
  SourceInfo,
  Span,
  Step,
  StepView,
  Submission,
  SubmissionBody,
  System,
  Tools,
  ToolSpec,
  Trace,
  Usage,
  WhichDeadLetters,
  Worker,
  Workers,
};
