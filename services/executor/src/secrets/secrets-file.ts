/** The file that defines the secrets, the sources of their values, and the calls that can use them. */
import { parseHost, SECRET_NAME, SecretUse, ToolName } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { findConfigFile, invalidConfigFile, parseConfigFile } from "@planwright/shared/service";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { SECRET_CHARS_MIN } from "./redaction.ts";

const CODE = "invalid_secrets";
const SECRETS_MAX = 100;
const VALUE_CHARS_MAX = 16_384;
/** Prefix of the environment variable of a secret that names no file. */
export const SECRET_VARIABLE = "PLANWRIGHT_SECRET_";
/** Built-in tools that can use secrets, also in headers: all others store or show their arguments, or pass them to a model. */
export const TAKE_SECRETS: ReadonlySet<string> = new Set(["http.fetch", "http.send"]);

const Rule = z.strictObject({ tool: ToolName, ...SecretUse.omit({ name: true }).shape });

/** Strict, because it is written by hand. */
const SecretsFile = z.strictObject({
  $schema: z.string().optional(),
  secrets: z
    .record(
      z.string().regex(SECRET_NAME),
      z.strictObject({
        file: z.string().min(1).optional(),
        use: z.array(Rule).min(1).max(20),
        tenants: z.array(z.string().min(1)).min(1).max(1_000).optional(),
      }),
    )
    .refine((all) => Object.keys(all).length <= SECRETS_MAX, `wanted at most ${SECRETS_MAX} secrets`),
});

export type SecretEntry = {
  readonly name: string;
  readonly value: string;
  readonly use: readonly (Omit<SecretUse, "name"> & { readonly tool: string })[];
  /** The tenants whose plans can use it; all tenants by default. */
  readonly tenants?: readonly string[] | undefined;
};

export type SecretsPlace = {
  /** The configured file, if any. */
  readonly named: string | undefined;
  /** Where to look for `secrets.json` otherwise. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names of the tools that are not the operator's own. */
  readonly builtIn: ReadonlySet<string>;
  /** How many tenants the system has. */
  readonly tenants: number;
};

/**
 * Finds and reads the file and the values.
 *
 * @returns Nothing when no file is configured and none is found.
 * @throws {PermanentError} `invalid_secrets`: the file, the location in it, and what was expected. No message contains a value.
 */
export async function readSecrets(place: SecretsPlace): Promise<readonly SecretEntry[]> {
  const { named, folders } = place;
  const found = await findConfigFile({ named, folders, fileName: "secrets.json", code: CODE });
  if (found === undefined) return [];
  const keys = "a name in capital letters, digits and `_`, such as CRM_TOKEN";
  const { secrets } = parseConfigFile(SecretsFile, { ...found, code: CODE, keys });
  const faults: string[] = [];
  const entries: SecretEntry[] = [];
  for (const [name, { file, ...about }] of Object.entries(secrets)) {
    const entry = { name, ...about };
    faults.push(...faultsOf(entry, place));
    const value = await valueOf(name, { file, at: found.file, env: place.env });
    if ("fault" in value) faults.push(`secrets.${name}: ${value.fault}`);
    else entries.push({ ...entry, value: value.text });
  }
  if (faults.length > 0) throw invalidConfigFile(found.file, { code: CODE, faults });
  return entries;
}

function faultsOf(
  { name, use, tenants }: Omit<SecretEntry, "value">,
  { builtIn, tenants: count }: SecretsPlace,
): string[] {
  const faults = use.flatMap(({ tool, hosts }, index) => {
    const at = `secrets.${name}.use[${index}]`;
    const wrong = (hosts ?? []).filter((host) => parseHost(host) === undefined);
    if (wrong.length > 0)
      return [`${at}.hosts: wanted hosts such as api.example.com, got ${wrong.join(", ")}`];
    if (!builtIn.has(tool)) return [];
    if (!TAKE_SECRETS.has(tool)) {
      return [`${at}.tool: wanted ${[...TAKE_SECRETS].join(", ")} or a tool of your own, got ${tool}`];
    }
    return hosts === undefined ? [`${at}.hosts: wanted the hosts that ${tool} may send it to, got none`] : [];
  });
  if (count > 1 && tenants === undefined) {
    faults.push(`secrets.${name}.tenants: wanted the tenants that may use it, since the system has ${count}`);
  }
  return faults;
}

type ValuePlace = Pick<SecretsPlace, "env"> & {
  readonly file: string | undefined;
  /** Relative paths are resolved against its folder. */
  readonly at: string;
};

async function valueOf(
  name: string,
  { file, at, env }: ValuePlace,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  const from = file ?? SECRET_VARIABLE + name;
  const text = file === undefined ? env[from] : await readText(path.resolve(path.dirname(at), file));
  if (text === undefined || text === "") return { fault: `${from} has no value` };
  const value = text.replace(/\r?\n$/, "");
  if (value.length < SECRET_CHARS_MIN || value.length > VALUE_CHARS_MAX) {
    return {
      fault: `wanted ${SECRET_CHARS_MIN} to ${VALUE_CHARS_MAX} characters in ${from}, got ${value.length}`,
    };
  }
  return { text: value };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new PermanentError(`${file} cannot be read`, { code: CODE, cause });
  }
}
