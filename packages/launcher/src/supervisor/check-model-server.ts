/**
 * A look at the model server when the system is ready: a wrong address or key would otherwise show only in plans that
 * wait. The list of models is what every OpenAI-compatible server has, and costs nothing.
 */
import { describeError } from "@planwright/shared/errors";
import { OPENAI_BASE_URL_DEFAULT } from "@planwright/shared/service";

const TIMEOUT_MS = 10_000;
const HINT = "plans that need a model will wait for it, and fail in the end";

/** The server that the environment names for all roles, or undefined when it names none. */
export function modelServerOf(env: NodeJS.ProcessEnv): { url: string; apiKey: string } | undefined {
  const [url, apiKey] = [env["OPENAI_BASE_URL"] || "", env["OPENAI_API_KEY"] || ""];
  return url === "" && apiKey === "" ? undefined : { url: url || OPENAI_BASE_URL_DEFAULT, apiKey };
}

/** What is odd about a model server, as a sentence that says what to mend; undefined when nothing is. */
export async function oddityOfModelServer(
  { url, apiKey }: { url: string; apiKey: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/+$/, "")}/models`, {
      headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    return `the model server does not answer at ${url} (${describeError(error)}): is OPENAI_BASE_URL right, and does it run? ${HINT}`;
  }
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) {
    return `the model server at ${url} refuses the key (${response.status}): is OPENAI_API_KEY right? ${HINT}`;
  }
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (response.status === 404 || (response.ok && !isJson)) {
    return `${url} may be no model server (${response.status} for its list of models): OPENAI_BASE_URL mostly ends in /v1`;
  }
  return undefined;
}
