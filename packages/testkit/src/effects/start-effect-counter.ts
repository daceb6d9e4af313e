/**
 * An HTTP server that counts effects: the outside world, which knows nothing of plans.
 *
 * Tests of doubled effects rely on this server's count, never on our own ledger. It runs in the test's process,
 * so that it outlives every service that is killed. A step reaches it with `http.send`:
 *
 * ```ts
 * await using effects = await startEffectCounter();
 * await using system = await startSystem({ env: { HTTP_FETCH_ALLOW: effects.host } });
 * const step = { id: "s1", tool: "http.send", args: { url: effects.url("plain"), body: { n: 1 } } };
 * // http.send is of high risk: without this, every step would wait for approval.
 * await system.client.submit({ goal: "send it", plan: { steps: [step] }, approval: { risk: "never" } });
 * expect(effects.doubled()).toEqual([]);
 * expect(effects.count(`${planId}/s1/0/0`)).toBe(1); // The effect key: plan, step, item, call.
 * ```
 *
 * Its targets, which are all counted together by the header `Idempotency-Key`:
 * - `plain` takes effect on every request, whatever its key: only the sender can prevent a second effect;
 * - `deduping` takes effect on a key's first request and repeats its answer for the others; set `rejectsRepeats: true`;
 * - `check` (GET) answers 200 with the sent content when the key has taken effect, and 404 otherwise; set it as
 *   `checkUrl` beside `url: plain`.
 *
 * With `hold` a test stops a request before or after it takes effect, to kill a service at that moment.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export type EffectTarget = "plain" | "deduping" | "check";

export type HeldEffect = {
  /** Resolves with the key once a request has reached this point. */
  readonly reached: Promise<string>;
  /** Lets the request continue; `drop` sends no response and, before the effect, prevents the effect. */
  release(options?: { readonly drop?: boolean }): void;
};

export type EffectCounter = AsyncDisposable & {
  /** `127.0.0.1:<port>`, for `HTTP_FETCH_ALLOW`. */
  readonly host: string;
  url(target: EffectTarget): string;
  /** How often a key has taken effect. */
  count(key: string): number;
  /** How often each key has taken effect. */
  counts(): ReadonlyMap<string, number>;
  /** The keys that have taken effect more than once. */
  doubled(): string[];
  /** Every request's key and target, in order, including those without an effect. */
  readonly requests: readonly { readonly key: string; readonly target: EffectTarget }[];
  /** Holds the next request to `plain` or `deduping`, before it takes effect, or after that and before its response. */
  hold(moment: "before" | "after"): HeldEffect;
  /** Starts over as if nothing had been requested: for the next test of a file whose executor may reach only one server. */
  forget(): void;
};

export async function startEffectCounter(): Promise<EffectCounter> {
  const counts = new Map<string, number>();
  const sent = new Map<string, string>();
  const requests: { key: string; target: EffectTarget }[] = [];
  const holds = { before: [] as Hold[], after: [] as Hold[] };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const key = String(request.headers["idempotency-key"] ?? "");
    const target = targetOf(request);
    if (target === undefined) return void response.writeHead(404).end();
    requests.push({ key, target });
    if (target === "check") return reply(response, sent.has(key) ? 200 : 404, { sent: sent.get(key) });
    if ((await holds.before.shift()?.at(key))?.drop === true) return void response.destroy();
    const isRepeat = target === "deduping" && counts.has(key);
    if (!isRepeat) counts.set(key, (counts.get(key) ?? 0) + 1);
    if (!isRepeat) sent.set(key, body);
    if ((await holds.after.shift()?.at(key))?.drop === true) return void response.destroy();
    reply(response, 200, { key, times: counts.get(key) });
  };

  const server = createServer((request, response) => {
    // A client that was killed in the middle of a request must not end this process.
    answer(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    host,
    url: (target) => `http://${host}/${target}`,
    count: (key) => counts.get(key) ?? 0,
    counts: () => counts,
    doubled: () => [...counts].filter(([, times]) => times > 1).map(([key]) => key),
    requests,
    hold(moment) {
      const hold = createHold();
      holds[moment].push(hold);
      return hold;
    },
    forget() {
      counts.clear();
      sent.clear();
      requests.length = 0;
      holds.before.length = 0;
      holds.after.length = 0;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Hold = HeldEffect & { at(key: string): Promise<{ readonly drop?: boolean }> };

function createHold(): Hold {
  const reached = Promise.withResolvers<string>();
  const released = Promise.withResolvers<{ readonly drop?: boolean }>();
  return {
    reached: reached.promise,
    release: (options = {}) => released.resolve(options),
    at(key) {
      reached.resolve(key);
      return released.promise;
    },
  };
}

function targetOf({ method, url }: IncomingMessage): EffectTarget | undefined {
  const path = (url ?? "").split("?")[0];
  if (path === "/check") return method === "GET" ? "check" : undefined;
  if (method === "GET") return undefined;
  return path === "/plain" ? "plain" : path === "/deduping" ? "deduping" : undefined;
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
