/**
 * A model whose replies the test writes: the same HTTP server as the offline model's, around a script.
 *
 * It also holds every schema to the rules of llama.cpp and of strict structured output: disposing it throws when one of
 * them would have been refused.
 *
 * A request's role is the name of the JSON schema it asks for (`plan`, `judgement`); a request for free
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
import { JsonSchema } from "@planwright/plan";
import { createGates, type Gates } from "./gates.ts";
import { grammarFaults } from "./grammar-faults.ts";
import { strictSchemaFaults } from "./strict-schema-faults.ts";

export type ScriptedCall = {
  readonly request: ChatRequest;
  /** Counts the requests of this role from 1. */
  readonly number: number;
  readonly system: string;
  readonly user: string;
  /** The tagged blocks of the user message. */
  readonly blocks: ReadonlyMap<BlockTag, string>;
  readonly signal: AbortSignal;
  /** Waits until the test calls `release(gate)`; usable between two pieces of a stream. */
  hold(gate: string): Promise<void>;
};

export type ScriptedReply = Reply | ((call: ScriptedCall) => Reply | Promise<Reply>);

/** By role. A list gives its replies in order and repeats the last one. */
export type ModelScript = Readonly<Record<string, ScriptedReply | readonly ScriptedReply[]>>;

export type ScriptedModel = ModelServer &
  Pick<Gates, "release" | "reached"> & {
    /** Answers from another script from now on, as a new server would: nothing is counted yet, no gate is open. */
    play(script: ModelScript): void;
    /** The requests of one role to this script, oldest first. */
    calls(role: string): readonly JournalEntry[];
    /** How many requests of one role this script has had. */
    count(role: string): number;
    /** Which schemas, of those that were sent so far, model servers would refuse, and why. */
    schemaFaults(): readonly string[];
  };

/**
 * Starts the server on any free port; a request of a role that has no script gets a 410 that says so.
 *
 * @param options.checksSchemas - Whether disposing it throws for schemas that model servers would refuse. Default true.
 */
export async function startScriptedModel(
  script: ModelScript,
  { checksSchemas = true }: { readonly checksSchemas?: boolean } = {},
): Promise<ScriptedModel> {
  let playing = playOf(script, 0);
  /** By the schema's name and text, since a system sends the same few again and again. */
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

/** A script with what it has seen so far; `earlier` requests went to those before it. */
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
      // Not 400: services would take it for a refusal of the schema, and ask this server without one from then on.
      status: 410,
      body: { error: { message, type: "invalid_request_error", param: null, code: null } },
    }
  );
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(scripted: ModelScript[string] | undefined): scripted is readonly ScriptedReply[] {
  return Array.isArray(scripted);
}
