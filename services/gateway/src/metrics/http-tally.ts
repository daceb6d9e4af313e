import type { FastifyInstance } from "fastify";

export type HttpTally = {
  /** HTTP requests by method, route and status. */
  readonly requests: ReadonlyMap<string, number>;
  readonly seconds: number;
};

/** Counts the responses of a server from now on. Must be registered before any route. */
export function tallyRequests(app: FastifyInstance): HttpTally {
  const requests = new Map<string, number>();
  let seconds = 0;
  app.addHook("onResponse", (request, reply, done) => {
    // The route's pattern, not the path, to limit the number of labels.
    const route = request.routeOptions.url ?? "none";
    const key = `method="${request.method}",route="${route}",status="${reply.statusCode}"`;
    requests.set(key, (requests.get(key) ?? 0) + 1);
    seconds += reply.elapsedTime / 1_000;
    done();
  });
  return {
    requests,
    get seconds() {
      return seconds;
    },
  };
}
