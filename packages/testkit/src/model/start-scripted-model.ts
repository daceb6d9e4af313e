/**
 * A model whose replies the test writes: the HTTP server of the demo model, with a script.
 *
 * It also checks every schema against the rules of llama.cpp and of strict structured output: disposing it throws if
 * any of them would have been rejected.
 *
 * A request's role is the name of the requested JSON schema (`plan`, `judgement`); a request for free
 * text has the role `write`.
 */
import {
  type ChatRequest,
  type JournalEntry,
  type ModelServer,
  type Reply,
  readBlocks,
  schemaNameOf,
  serveModel,
  textOf,
} from "@planwright/offline-model";
import type { BlockTag } from "@planwright/shared/prompt";
import { JsonSchema, isJsonObject, type Json, type JsonObject } from "@planwright/plan";
import { createGates, type Gates } from "./gates.ts";
import { grammarFaults } from "./grammar-faults.ts";
import { exceededLimits } from "@planwright/shared/model";

export type ScriptedCall = {
  readonly request: ChatRequest;
  /** The number of this request in its role, starting at 1. */
  readonly number: number;
  readonly system: string;
  readonly user: string;
  /** The tagged blocks of the user message. */
  readonly blocks: ReadonlyMap<BlockTag, string>;
  readonly signal: AbortSignal;
  /** Waits until the test calls `release(gate)`; can be used between two pieces of a stream. */
  hold(gate: string): Promise<void>;
};

export type ScriptedReply = Reply | ((call: ScriptedCall) => Reply | Promise<Reply>);

/** Replies by role. A list gives its replies in order and repeats the last one. */
export type ModelScript = Readonly<Record<string, ScriptedReply | readonly ScriptedReply[]>>;

export type ScriptedModel = ModelServer &
  Pick<Gates, "release" | "reached"> & {
    /** Switches to another script, like a new server: counts are reset and gates closed. */
    play(script: ModelScript): void;
    /** The requests of one role to this script, oldest first. */
    calls(role: string): readonly JournalEntry[];
    /** Number of requests of one role to this script. */
    count(role: string): number;
    /** The schemas sent so far that model servers would reject, and why. */
    schemaFaults(): readonly string[];
  };

/**
 * Starts the server on any free port; a request of a role without a script is answered with 410 and an explanation.
 *
 * @param options.checksSchemas - Whether disposing it throws for schemas that model servers would reject. Default true.
 */
export async function startScriptedModel(
  script: ModelScript,
  { checksSchemas = true }: { readonly checksSchemas?: boolean } = {},
): Promise<ScriptedModel> {
  let playing = playOf(script, 0);
  /** By the schema's name and text, since a system sends the same few schemas repeatedly. */
  const schemaFaults = new Map<string, readonly string[]>();

  const server = await serveModel({
    respond: (request, { signal }) => {
      const { script, counts, gates } = playing;
      noteFaults(request, schemaFaults);
      const role = roleOf(schemaNameOf(request));
      const number = (counts.get(role) ?? 0) + 1;
      counts.set(role, number);
      const reply = replyFor(script, role, number);
      if (typeof reply !== "function") return reply;
      const user = textOf(request, "user");
      return reply({
        request,
        number,
        system: textOf(request, "system"),
        user,
        blocks: readBlocks(user),
        signal,
        hold: (gate) => gates.wait(gate, signal),
      });
    },
  });

  return {
    url: server.url,
    requests: server.requests,
    counted: server.counted,
    play(next) {
      playing = playOf(next, server.requests.count);
    },
    calls: (role) =>
      server.requests.entries.filter(
        ({ number, schemaName }) => number > playing.earlier && roleOf(schemaName) === role,
      ),
    count: (role) => playing.counts.get(role) ?? 0,
    release: (gate) => playing.gates.release(gate),
    reached: (gate) => playing.gates.reached(gate),
    schemaFaults: () => [...schemaFaults.values()].flat(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      const faults = [...schemaFaults.values()].flat();
      if (checksSchemas && faults.length > 0)
        throw new Error(`model servers would refuse schemas:\n${faults.join("\n")}`);
    },
  };
}

function noteFaults({ response_format }: ChatRequest, known: Map<string, readonly string[]>): void {
  const { name, schema } = response_format?.json_schema ?? {};
  if (name === undefined || schema === undefined) return;
  const key = `${name}\n${JSON.stringify(schema)}`;
  if (known.has(key)) return;
  const faults = [...grammarFaults(schema), ...strictSchemaFaults(name, JsonSchema.parse(schema))];
  known.set(
    key,
    faults.map((fault) => `${name}: ${fault}`),
  );
}

/** A script and its state; `earlier` requests were for previous scripts. */
function playOf(script: ModelScript, earlier: number) {
  return { script, counts: new Map<string, number>(), gates: createGates(), earlier };
}

function roleOf(schemaName: string | null): string {
  return schemaName ?? "write";
}

function replyFor(script: ModelScript, role: string, number: number): ScriptedReply {
  const scripted = Object.hasOwn(script, role) ? script[role] : undefined;
  const reply = isList(scripted) ? (scripted[number - 1] ?? scripted.at(-1)) : scripted;
  const message = `the script has no reply for role ${role}`;
  return (
    reply ?? {
      // Not 400: services would take it for a refusal of the schema, and send this server no schema from then on.
      status: 410,
      body: { error: { message, type: "invalid_request_error", param: null, code: null } },
    }
  );
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(scripted: ModelScript[string] | undefined): scripted is readonly ScriptedReply[] {
  return Array.isArray(scripted);
}

/**
 * The rules of strict Structured Outputs, as documented by OpenAI and as far as other servers follow them:
 * https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas".
 */

/** Keywords supported by every implementation; OpenAI supports a few more. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "description",
  "$ref",
]);
/** Anthropic's API rejects other names. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const SCHEMA_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns the parts of a schema that a strict server would reject, with their paths; empty if it would accept it. */
export function strictSchemaFaults(name: string, schema: JsonSchema): readonly string[] {
  const faults: string[] = [];
  if (!SCHEMA_NAME.test(name)) faults.push(`the name ${JSON.stringify(name)} is not allowed`);
  if (schema["type"] !== "object" || "anyOf" in schema) faults.push("root: wanted an object, not an anyOf");
  faults.push(...exceededLimits(schema));
  const { $defs = {}, ...root } = schema;
  const definitions = isJsonObject($defs) ? $defs : {};
  scan(root, "root", { faults, definitions });
  for (const [key, definition] of Object.entries(definitions)) {
    scan(definition, `$defs.${key}`, { faults, definitions });
  }
  return faults;
}

type Scan = { readonly faults: string[]; readonly definitions: JsonObject };

function scan(node: Json | undefined, path: string, { faults, definitions }: Scan): void {
  if (node === undefined || !isJsonObject(node)) {
    faults.push(`${path}: wanted a schema`);
    return;
  }
  for (const keyword of Object.keys(node)) {
    if (!KEYWORDS.has(keyword)) faults.push(`${path}: '${keyword}' is not permitted`);
  }
  const { type, anyOf, items, $ref } = node;
  if ($ref !== undefined) {
    if (Object.keys(node).length > 1) faults.push(`${path}: '$ref' must stand alone`);
    if (resolved(node, definitions) === undefined) faults.push(`${path}: '$ref' leads nowhere`);
    return;
  }
  if (type === undefined && !Array.isArray(anyOf) && !("enum" in node) && !("const" in node))
    faults.push(`${path}: schema must have a 'type' key`);
  if (type === "object" || "properties" in node) scanObject(node, path, { faults, definitions });
  if (type === "array") scan(items, `${path}[]`, { faults, definitions });
  if (Array.isArray(anyOf)) {
    for (const [index, one] of anyOf.entries()) scan(one, `${path}|${index}`, { faults, definitions });
    scanFirstKeys(anyOf, path, { faults, definitions });
  }
}

/** Returns the target of a local reference, or any other schema itself. */
function resolved(node: Json, definitions: JsonObject): Json | undefined {
  if (!isJsonObject(node) || !("$ref" in node)) return node;
  const name = typeof node["$ref"] === "string" ? /^#\/\$defs\/(\w+)$/.exec(node["$ref"])?.[1] : undefined;
  return name === undefined || !Object.hasOwn(definitions, name) ? undefined : definitions[name];
}

function scanObject(node: JsonObject, path: string, { faults, definitions }: Scan): void {
  const { properties, required, additionalProperties } = node;
  if (additionalProperties !== false) faults.push(`${path}: 'additionalProperties' must be false`);
  const fields = properties !== undefined && isJsonObject(properties) ? Object.entries(properties) : [];
  const named = new Set(Array.isArray(required) ? required : []);
  for (const [name, property] of fields) {
    if (!named.has(name)) faults.push(`${path}: 'required' must include ${name}`);
    if (!PROPERTY_NAME.test(name))
      faults.push(`${path}: the property name ${JSON.stringify(name)} is refused`);
    scan(property, `${path}.${name}`, { faults, definitions });
  }
}

/** "Objects provided via 'anyOf' must not share identical first keys", unless a single value there distinguishes them. */
function scanFirstKeys(variants: readonly Json[], path: string, { faults, definitions }: Scan): void {
  const seen = new Map<string, Set<string | undefined>>();
  for (const one of variants) {
    const variant = resolved(one, definitions) ?? null;
    const properties = isJsonObject(variant) ? variant["properties"] : undefined;
    const [first] = properties !== undefined && isJsonObject(properties) ? Object.entries(properties) : [];
    if (first === undefined) continue;
    const [name, schema] = first;
    const value = singleValue(schema);
    const values = seen.get(name);
    if (values !== undefined && (value === undefined || values.has(undefined) || values.has(value)))
      faults.push(`${path}: objects provided via 'anyOf' share the first key ${name}`);
    seen.set(name, (values ?? new Set()).add(value));
  }
}

function singleValue(schema: Json): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) && values.length === 1 ? JSON.stringify(values[0]) : undefined;
}
