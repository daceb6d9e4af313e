import { once } from "node:events";
import http from "node:http";

export type FlakyServer = AsyncDisposable & { readonly url: string };

/** Answers the first request of each path with 500, and the others with 200. */
export async function startFlakyServer(): Promise<FlakyServer> {
  const asked = new Set<string>();
  const server = http.createServer(({ url = "" }, response) => {
    response.statusCode = asked.has(url) ? 200 : 500;
    asked.add(url);
    response.setHeader("content-type", "text/plain").end("fine");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("wanted a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
