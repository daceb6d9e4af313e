/**
 * Checks the model server once the system is ready: otherwise a wrong address or key would show only in plans that wait
 * for it. The check lists the models, which every OpenAI-compatible server supports and which costs nothing, with the
 * same address, query and headers as every model call.
 */
import { describeError } from "@planwright/shared/errors";
import {
  type Environment,
  modelAddress,
  type ModelTarget,
  modelUrl,
  sharedModelServer,
} from "@planwright/shared/service";

const TIMEOUT_MS = 10_000;
const HINT = "Plans that need a model wait for it and eventually fail.";
/** Azure lists the models of a resource, not of a deployment. */
const DEPLOYMENT = /\/deployments\/[^/]+$/;

/** Returns the server that the environment sets for all roles; undefined when it sets none, or the settings are invalid. */
export function modelServerOf(env: Environment): Omit<ModelTarget, "model"> | undefined {
  try {
    return sharedModelServer(env);
  } catch {
    // The services report invalid settings and do not start.
    return undefined;
  }
}

/** Returns a warning about the model server that says how to fix it; undefined when the server is fine. */
export async function oddityOfModelServer(
  server: Omit<ModelTarget, "model">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const address = modelAddress(server);
  const { base, headers } = address;
  const url = modelUrl({ ...address, base: base.replace(DEPLOYMENT, "") }, "/models");
  let response: Response;
  try {
    response = await fetch(url, {
      headers,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    return `the model server at ${base} does not answer (${describeError(error)}): check OPENAI_BASE_URL and that the server is running. ${HINT}`;
  }
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) {
    return `the model server at ${base} rejects the key (${response.status}): check OPENAI_API_KEY and OPENAI_KEY_HEADER. ${HINT}`;
  }
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (isRedirect(response.status) || response.status === 404 || (response.ok && !isJson)) {
    return `${base} may not be a model server (status ${response.status} for its list of models): check OPENAI_BASE_URL, which usually ends in /v1`;
  }
  return undefined;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
