import { ApiError, readProblem } from "./api-error.ts";

export type Upload = {
  readonly name: string;
  readonly type: string;
  readonly content: Blob;
  readonly key: string | undefined;
  /** How much has been sent, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Makes a file a data source. Not by `fetch`, which does not tell how much has been sent.
 *
 * @throws {ApiError} From the returned promise: what the gateway refuses, or that it did not answer.
 */
export function uploadSource({ name, type, content, key, onProgress, signal }: Upload): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  request.open("POST", `/v1/data?name=${encodeURIComponent(name)}`);
  request.setRequestHeader("content-type", type);
  if (key !== undefined) request.setRequestHeader("authorization", `Bearer ${key}`);
  request.upload.addEventListener("progress", ({ loaded, total }) =>
    onProgress(total === 0 ? 0 : loaded / total),
  );
  request.addEventListener("load", () => {
    const { status, statusText, responseText } = request;
    if (status < 300) return resolve();
    readProblem(new Response(responseText, { status, statusText })).then(reject, reject);
  });
  request.addEventListener("error", () =>
    reject(new ApiError("The gateway cannot be reached.", { status: 0, code: "unreachable" })),
  );
  request.addEventListener("abort", () => reject(signal.reason));
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(content);
  return promise;
}
