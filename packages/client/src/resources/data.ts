/** Data sources that plans can query. */
import type { SourceFromConfig, SourceInfo } from "@planwright/api";
import { isProblem } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";

export type Upload = {
  /** A letter, then letters, digits, `_` or `-`: the `source` in plans. */
  readonly name: string;
  /** The file's bytes or text. */
  readonly data: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  /** Default `csv`. */
  readonly kind?: "csv" | "sqlite" | undefined;
};

export type DataApi = {
  list(options?: RequestOptions): Promise<readonly SourceInfo[]>;
  /**
   * Uploads a file as a data source. It replaces an uploaded source of the same name.
   *
   * @param options.onProgress - Called with the fraction sent, from 0 to 1. Only browsers report progress before the end.
   * @throws {ProblemError} `invalid_data`, `source_configured`, `body_too_large`
   */
  upload(
    upload: Upload,
    options?: RequestOptions & { readonly onProgress?: ((part: number) => void) | undefined },
  ): Promise<SourceInfo>;
  /** Makes a configured file a data source, by its configured name. */
  add(source: SourceFromConfig, options?: RequestOptions): Promise<SourceInfo>;
  /**
   * Deletes one of your uploads, with its files. Plans that query it afterwards fail at that step.
   *
   * @throws {ProblemError} `source_not_found`, `source_configured`
   */
  delete(name: string, options?: RequestOptions): Promise<void>;
};

const TYPES = { csv: "text/csv", sqlite: "application/vnd.sqlite3" } as const;

export function dataOf(transport: Transport): DataApi {
  return {
    list: async (options) => (await transport.json("listSources", options)).sources,
    upload: ({ name, data, kind = "csv" }, { onProgress, ...options } = {}) =>
      transport.json("addSource", {
        ...options,
        query: { name },
        content: { type: TYPES[kind], data },
        ...(onProgress === undefined ? {} : { fetch: uploadFetch(transport.settings.fetch, onProgress) }),
      }),
    add: (source, options) => transport.json("addSource", { ...options, body: source }),
    delete: async (name, options) => {
      try {
        await transport.text("deleteSource", { ...options, params: { name } });
      } catch (error) {
        // An earlier attempt deleted it; its response was lost.
        if (!isProblem(error, "source_not_found") || error.attempts === 1) throw error;
      }
    },
  };
}

/** The used part of XMLHttpRequest: Node's types do not include it. */
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

/**
 * Reports the progress of an upload: `fetch` cannot, `XMLHttpRequest` of browsers can.
 *
 * @param plain - Sends the request where there is no XMLHttpRequest; progress is then reported once, at the end.
 */
function uploadFetch(plain: typeof fetch, onProgress: (part: number) => void): typeof fetch {
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
