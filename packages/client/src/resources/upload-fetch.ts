/** Uploads whose progress is reported: `fetch` cannot, `XMLHttpRequest` of browsers can. */

/** The used part of XMLHttpRequest: Node lacks the types of browsers. */
type XmlRequest = {
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
};

/** @param plain - Sends where there is no XMLHttpRequest; then the whole is reported at the end. */
export function uploadFetch(plain: typeof fetch, onProgress: (part: number) => void): typeof fetch {
  const { XMLHttpRequest } = globalThis as { readonly XMLHttpRequest?: new () => XmlRequest };
  if (XMLHttpRequest === undefined) {
    return async (url, init) => {
      const response = await plain(url, init);
      onProgress(1);
      return response;
    };
  }
  return (url, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      if (signal?.aborted === true) return reject(signal.reason);
      const request = new XMLHttpRequest();
      const abort = (): void => request.abort();
      const settle = (done: () => void) => (): void => {
        signal?.removeEventListener("abort", abort);
        done();
      };
      request.open(init.method ?? "GET", url instanceof Request ? url.url : String(url));
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onload = settle(() => resolve(responseOf(request)));
      request.onerror = settle(() => reject(new TypeError("the upload failed")));
      request.onabort = settle(() => reject(signal?.reason));
      signal?.addEventListener("abort", abort, { once: true });
      request.send(init.body);
    });
}

function responseOf(request: XmlRequest): Response {
  const { status, statusText, responseText } = request;
  const headers = new Headers();
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const [name = "", ...value] = line.split(":");
    if (name !== "") headers.append(name, value.join(":").trim());
  }
  return new Response(responseText, { status, statusText, headers });
}
