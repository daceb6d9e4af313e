/** The simulation's search engine: a slow HTTP service, always equally slow for the same query. */
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { searchMs } from "./model/latency.ts";
import type { Question } from "./questions/question.ts";

export type SearchService = AsyncDisposable & {
  readonly url: string;
  /** All queries since the last call of this function, sorted. */
  takeQueries(): readonly string[];
};

export async function startSearchService(questions: readonly Question[]): Promise<SearchService> {
  const known = new Map(
    questions.flatMap(({ searches }) => searches.map((search) => [search.query, search])),
  );
  let queries: string[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "/", "http://search").searchParams.get("q") ?? "";
    queries.push(query);
    const found = known.get(query);
    void delay(searchMs(query)).then(() => {
      const { text, value } = found ?? { text: `Nothing was found for ${query}.` };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value === undefined ? { text } : { text, value }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the search service has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    takeQueries() {
      const taken = queries.toSorted();
      queries = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
