/** Redirects of a model server: prompts and keys go only to configured addresses. */
import { PermanentError } from "../../errors.ts";

/** More than this is treated as a loop. */
const REDIRECTS_MAX = 3;

/**
 * Sends a request; follows a redirect that keeps the method and the host, and rejects all others.
 *
 * @throws {PermanentError} With the target of the redirect.
 */
export async function fetchWithoutRedirect(
  send: typeof fetch,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  let target = input;
  for (let count = 0; ; count++) {
    const response = await send(target, { ...init, redirect: "manual" });
    const { status } = response;
    if (status < 300 || status > 399 || status === 304) return response;
    const from = new URL(target instanceof Request ? target.url : target);
    const to = locationOf(response, from);
    await response.body?.cancel();
    if (to === undefined) throw refused(`the model server answered ${status} without a location`);
    if (count >= REDIRECTS_MAX) {
      throw refused(`the model server redirects more than ${REDIRECTS_MAX} times, at last to ${shown(to)}`);
    }
    const keepsMethod = status === 307 || status === 308;
    if (!keepsMethod || to.host !== from.host || to.protocol !== from.protocol) {
      throw refused(
        `the model server redirects (${status}) from ${shown(from)} to ${shown(to)}: ` +
          "set OPENAI_BASE_URL, or the role's own base URL, to the address of the API itself",
      );
    }
    target = to;
  }
}

function locationOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  return location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

/** Omits the parts that may be secret. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 300);
}

function refused(message: string): PermanentError {
  return new PermanentError(message, { code: "model_server_redirects" });
}
