/**
 * The secrets of one executor: which calls can use them, and their values, which only leave it for where a rule allows.
 *
 * Invariants:
 *   SECRETS-1. A value is substituted after everything that stores, hashes or shows arguments; only the tool gets it.
 *   SECRETS-2. A value only goes into the arguments, and to the hosts, that one of the operator's rules names for the tool.
 *   SECRETS-3. Everything that a tool returns, throws, logs, reports or writes has the reference in place of the value.
 */
import {
  AGENT_REACT,
  CODE_RUN,
  findSecrets,
  isJsonObject,
  type JsonObject,
  loadArtifactValues,
  type SecretReference,
  secretFault,
  type SecretUse,
  type StepWork,
  type ToolSpec,
} from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { TENANT_DEFAULT } from "@planwright/shared/service";
import { createSecretRedaction, type SecretRedaction } from "./redaction.ts";
import { type SecretEntry, TAKE_SECRETS } from "./secrets-file.ts";

const DESCRIPTION_CHARS_MAX = 2_000;

export type FilledCall = {
  readonly args: JsonObject;
  /** Where the values were inserted, such as `headers.authorization`, in lower case. */
  readonly places: readonly string[];
};

type LoadArtifact = Parameters<typeof loadArtifactValues>[1];

export type Secrets = {
  readonly redaction: SecretRedaction;
  /** Adds to the spec what planners need to know: names, arguments and hosts. */
  readonly announce: (spec: ToolSpec) => ToolSpec;
  /**
   * A step's complete arguments, with the contents of the files that they refer to and the values of secrets.
   *
   * @throws {PermanentError} `unknown_secret`, `secret_not_allowed`.
   */
  readonly fillStep: (work: StepWork, load: LoadArtifact) => Promise<FilledCall>;
  /**
   * The arguments of a call made by a loop or a program. Text that looks like a reference stays text for tools that cannot use
   * secrets.
   *
   * @throws {PermanentError} The same.
   */
  readonly fillLoopCall: (
    work: StepWork,
    call: { readonly tool: string; readonly args: JsonObject },
  ) => Promise<FilledCall>;
};

/** @param redaction - Receives every value; can be shared with the log. */
export function createSecrets(
  entries: readonly SecretEntry[],
  redaction: SecretRedaction = createSecretRedaction(),
): Secrets {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name, value } of entries) redaction.add(name, value);
  const usesOf = (tool: string): SecretUse[] =>
    entries.flatMap(({ name, use }) =>
      use.flatMap(({ tool: of, ...rule }) => (of === tool ? [{ name, ...rule }] : [])),
    );
  async function fill(call: Calling): Promise<FilledCall> {
    const { tool, args, tenant, load, isInLoop } = call;
    const references = findSecrets(args);
    const loaded = await loadArtifactValues(args, load);
    if (references.length === 0) return { args: loaded, places: [] };
    const judged = { tool, uses: usesOf(tool), args: loaded, isResolved: true, isInLoop };
    for (const reference of references) {
      const fault = secretFault(judged, reference) ?? tenantFault(byName.get(reference.name), tenant);
      if (fault !== undefined) throw new PermanentError(fault.message, { code: fault.code });
    }
    const judgedNames = new Set(references.map(({ name }) => name));
    const filled = await loadArtifactValues(args, load, (name) => {
      const value = judgedNames.has(name) ? byName.get(name)?.value : undefined;
      if (value === undefined)
        throw new PermanentError(`there is no secret ${name}`, { code: "unknown_secret" });
      return value;
    });
    return { args: filled, places: references.map(placeOf) };
  }
  return {
    redaction,
    announce: (spec) => announced(spec, usesOf(spec.name)),
    fillStep: (work, load) => {
      const { tool, args, tenant } = work;
      // A loop gets the names; its calls use the values.
      if (tool === AGENT_REACT || tool === CODE_RUN) return plain(args, load);
      return fill({ tool, args, tenant, load: once(load), isInLoop: false });
    },
    fillLoopCall: async ({ tenant }, { tool, args }) => {
      if (usesOf(tool).length === 0 || findSecrets(args).length === 0) return { args, places: [] };
      return fill({ tool, args, tenant, load: nothing, isInLoop: true });
    },
  };
}

export const NO_SECRETS: Secrets = createSecrets([]);

type Calling = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly tenant: string;
  readonly load: LoadArtifact;
  readonly isInLoop: boolean;
};

async function plain(args: JsonObject, load: LoadArtifact): Promise<FilledCall> {
  return { args: await loadArtifactValues(args, load), places: [] };
}

/** Loads each file once, although it is substituted twice. */
function once(load: LoadArtifact): LoadArtifact {
  const loading = new Map<string, ReturnType<LoadArtifact>>();
  return (name) => {
    const known = loading.get(name) ?? load(name);
    loading.set(name, known);
    return known;
  };
}

/** A loop's arguments come from the model: anything that looks like a file reference is not one. */
function nothing(name: string): Promise<never> {
  return Promise.reject(new PermanentError(`there is no file ${name}`, { code: "artifact_lost" }));
}

function tenantFault({ name, tenants }: Partial<SecretEntry> = {}, tenant: string = TENANT_DEFAULT) {
  if (tenants === undefined || tenants.includes(tenant)) return undefined;
  return {
    code: "secret_not_allowed",
    message: `plans of the tenant ${tenant} may not use the secret ${name}`,
  };
}

function placeOf({ path }: SecretReference): string {
  return path.join(".").toLowerCase();
}

function announced(spec: ToolSpec, secrets: SecretUse[]): ToolSpec {
  if (secrets.length === 0) return spec;
  const places = secrets.flatMap((use) => use.arguments);
  const known = places.some((place) => place.startsWith("headers.")) ? withHeaders(spec) : spec;
  const lines = secrets.map(
    ({ name, arguments: fields, hosts }) =>
      `{{secret.${name}}} in ${fields.join(", ")}${hosts === undefined ? "" : ` for ${hosts.join(", ")}`}`,
  );
  const description = `${known.description} Secrets, whose values are inserted when it runs: ${lines.join("; ")}.`;
  return { ...known, description: description.slice(0, DESCRIPTION_CHARS_MAX), secrets };
}

/** Planners see this argument only where a rule names it: elsewhere it is of little use. */
function withHeaders(spec: ToolSpec): ToolSpec {
  const { properties } = spec.input;
  if (!TAKE_SECRETS.has(spec.name) || properties === undefined || !isJsonObject(properties)) return spec;
  const headers = { type: "object", additionalProperties: { type: "string" } };
  return { ...spec, input: { ...spec.input, properties: { ...properties, headers } } };
}
