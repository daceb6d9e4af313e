/** Requests to the identity provider, limited in time and size. */
const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

export type BoundedFetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that reads the whole response. It does not follow redirects, and rejects after 5 seconds or above 1 MiB.
 *
 * @param options.stopping - Aborts requests when the gateway stops.
 */
export function createBoundedFetch({
  fetch,
  stopping,
}: {
  readonly fetch: typeof globalThis.fetch;
  readonly stopping: AbortSignal;
}): BoundedFetch {
  return async (url, init = {}) => {
    const signals = [stopping, AbortSignal.timeout(ANSWER_MS_MAX), ...(init.signal ? [init.signal] : [])];
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
    const body = await readWithin(response, url);
    const { status, statusText, headers } = response;
    // `Response` throws when a status such as 204 has a body.
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
  };
}

async function readWithin(response: Response, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > ANSWER_BYTES_MAX)
      throw new Error(`${url} responded with more than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
