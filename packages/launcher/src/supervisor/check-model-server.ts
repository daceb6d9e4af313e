/**
 * A look at the model server when the system is ready: a wrong address or key would otherwise show only in plans that
 * wait. The list of models is what every OpenAI-compatible server has, and costs nothing. It is asked for with the same
 * address, query and headers as every call.
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
const HINT = "plans that need a model will wait for it, and fail in the end";
/** Azure lists the models of a resource, not of one of its deployments. */
const DEPLOYMENT = /\/deployments\/[^/]+$/;

/** The server that the environment names for all roles; undefined when it names none, or in a form that cannot be read. */
export function modelServerOf(env: Environment): Omit<ModelTarget, "model"> | undefined {
  try {
    return sharedModelServer(env);
  } catch {
    // The services report it, and do not start.
    return undefined;
  }
}

/** What is odd about a model server, as a sentence that says what to mend; undefined when nothing is. */
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
    return `the model server does not answer at ${base} (${describeError(error)}): is OPENAI_BASE_URL right, and does it run? ${HINT}`;
  }
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) {
    return `the model server at ${base} refuses the key (${response.status}): is OPENAI_API_KEY right, and OPENAI_KEY_HEADER? ${HINT}`;
  }
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (isRedirect(response.status) || response.status === 404 || (response.ok && !isJson)) {
    return `${base} may be no model server (${response.status} for its list of models): OPENAI_BASE_URL usually ends in /v1`;
  }
  return undefined;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
