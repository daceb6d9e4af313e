/**
 * Decides whether a call may use the secrets that its arguments refer to. A model writes the plan, perhaps under the influence of
 * content that it has read: a secret goes only into the arguments, and to the hosts, that the operator configured.
 */
import { namesUrl, urlArguments } from "../egress/url-arguments.ts";
import type { JsonObject } from "../values/json.ts";
import type { SecretUse } from "../language/tool-spec.ts";
import type { SecretReference } from "./secret-references.ts";

export type SecretCall = {
  readonly tool: string;
  readonly args: JsonObject;
  /** The operator's rules for the tool. */
  readonly uses: readonly SecretUse[];
  /** Whether every reference to an output is resolved, so that the hosts are known. */
  readonly isResolved: boolean;
  /** Whether an agent loop or a program makes the call. */
  readonly isInLoop?: boolean;
};

export type SecretFault = {
  readonly code: "unknown_secret" | "secret_not_allowed";
  readonly message: string;
};

/** @returns Why the call may not use the secret; undefined if it may. */
export function secretFault(call: SecretCall, { name, path }: SecretReference): SecretFault | undefined {
  const { tool, uses, isInLoop = false } = call;
  const ofName = uses.filter((use) => use.name === name);
  const names = [...new Set(uses.map((use) => use.name))];
  if (ofName.length === 0) {
    const others = names.length === 0 ? `${tool} may use no secrets` : `${tool} may use ${names.join(", ")}`;
    return { code: "unknown_secret", message: `${tool} may not use a secret ${name}; ${others}` };
  }
  const field = fieldOf(path);
  const here = ofName.filter(({ arguments: allowed }) => allowed.some((one) => isAt(path, one)));
  if (here.length === 0) {
    const allowed = ofName.flatMap((use) => use.arguments).join(", ");
    return refused(`wanted the secret ${name} only in ${allowed} of ${tool}, got it in ${field}`);
  }
  if (isUrlArgument(call, path)) return refused(`wanted no secret in a URL, got ${name} in ${field}`);
  const usable = here.filter(({ loops }) => !isInLoop || loops === true);
  if (usable.length === 0) {
    return refused(
      `calls of loops and programs may not use the secret ${name}: its rule for ${tool} has no "loops": true`,
    );
  }
  const faults = usable.map((use) => hostFault(call, use));
  return faults.includes(undefined) ? undefined : faults[0];
}

/** Whether the URL's host is in the list: over https, unless the list entry starts with `http://`. */
export function isHostAllowed(url: URL, hosts: readonly string[]): boolean {
  return hosts.some((entry) => {
    const pattern = parseHost(entry);
    if (pattern === undefined || url.protocol !== pattern.protocol) return false;
    return pattern.isBelow ? url.host.endsWith(`.${pattern.host}`) : url.host === pattern.host;
  });
}

const HOST = /^(?:(https?):\/\/)?(\*\.)?((?:\[[\da-f:.]+\]|[^\s/:@*?#[\]]+)(?::\d{1,5})?)$/i;

/** Undefined if the text is not a host such as `api.example.com`, `*.example.com`, `http://127.0.0.1:8080`. */
export function parseHost(
  entry: string,
): { readonly protocol: string; readonly host: string; readonly isBelow: boolean } | undefined {
  const [, scheme = "https", star, host] = HOST.exec(entry.trim()) ?? [];
  const url = host === undefined ? null : URL.parse(`${scheme.toLowerCase()}://${host}`);
  return url === null ? undefined : { protocol: url.protocol, host: url.host, isBelow: star !== undefined };
}

function hostFault(
  { tool, args, isResolved }: SecretCall,
  { name, hosts }: SecretUse,
): SecretFault | undefined {
  if (hosts === undefined) return undefined;
  const urls = urlArguments(tool, args).filter(({ url }) => isResolved || url?.host.includes("{") !== true);
  const stray = urls.find(({ url }) => (url === undefined ? isResolved : !isHostAllowed(url, hosts)));
  if (stray !== undefined) {
    const where = stray.url === undefined ? "an unknown host" : stray.url.origin;
    return refused(
      `wanted the secret ${name} to go only to ${hosts.join(", ")}, got ${where} in ${stray.field}`,
    );
  }
  if (!isResolved || urls.length > 0) return undefined;
  return refused(`wanted the secret ${name} to go only to ${hosts.join(", ")}, got a call without a URL`);
}

function isUrlArgument({ tool, args }: SecretCall, path: SecretReference["path"]): boolean {
  const key = path.findLast((part) => typeof part === "string");
  if (key !== undefined && namesUrl(key)) return true;
  const field = fieldOf(path);
  return urlArguments(tool, args).some((one) => fieldOf(one.path) === field);
}

/** Ignores case, as header names do. */
function isAt(path: SecretReference["path"], allowed: string): boolean {
  const wanted = allowed.toLowerCase().split(".");
  return (
    wanted.length === path.length &&
    path.every((part, index) => wanted[index] === "*" || wanted[index] === String(part).toLowerCase())
  );
}

function fieldOf(path: SecretReference["path"]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}

function refused(message: string): SecretFault {
  return { code: "secret_not_allowed", message };
}
