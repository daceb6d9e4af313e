/** Pages of a folder over HTTP, for steps that read them. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import path from "node:path";

export type Pages = AsyncDisposable & {
  /** `127.0.0.1:<port>`, for `HTTP_FETCH_ALLOW`. */
  readonly host: string;
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
};

/**
 * Serves the files of a folder.
 *
 * @param options.together - Responds only once so many requests have arrived: sequential requests wait forever.
 */
export async function startPages(folder: string, { together = 1 } = {}): Promise<Pages> {
  const asked: string[] = [];
  let waiting: (() => void)[] = [];

  const answer = async (file: string, response: ServerResponse): Promise<void> => {
    asked.push(file);
    const isLast = waiting.length + 1 === together;
    if (!isLast) await new Promise<void>((resolve) => waiting.push(resolve));
    else {
      for (const go of waiting) go();
      waiting = [];
    }
    const content = await readFile(path.join(folder, file));
    response.writeHead(200, { "content-type": "text/markdown" }).end(content);
  };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://pages");
    answer(path.normalize(pathname), response).catch(() => response.writeHead(404).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("wanted a port");
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: `http://${host}/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
