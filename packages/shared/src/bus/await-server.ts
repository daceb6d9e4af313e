/** Waits until somebody listens where NATS is to be: the client itself would wait for ever, and could not be stopped. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { describeError } from "../errors.ts";

const RETRY_MS = 250;
const TRY_MS_MAX = 5_000;
const PORTS: Readonly<Record<string, number>> = { "ws:": 80, "wss:": 443 };
const NATS_PORT = 4_222;

/**
 * @param servers - URLs, or `host:port`.
 * @param onWaiting - Told once, when none of them answers at first: where, without names and passwords, and why.
 * @throws When `signal` aborts.
 */
export async function awaitServer(
  servers: readonly string[],
  {
    signal,
    onWaiting,
  }: { signal?: AbortSignal | undefined; onWaiting: (where: string, why: string) => void },
): Promise<void> {
  const addresses = servers.map(addressOf);
  for (let round = 0; ; round++) {
    const tries = await Promise.allSettled(addresses.map((address) => tryOnce(address, signal)));
    signal?.throwIfAborted();
    if (tries.some(({ status }) => status === "fulfilled")) return;
    if (round === 0) {
      const why = tries.map((tried) => (tried.status === "rejected" ? describeError(tried.reason) : ""));
      onWaiting(addresses.map(({ host, port }) => `${host}:${port}`).join(", "), why.join(", "));
    }
    await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal });
  }
}

function addressOf(server: string): { host: string; port: number } {
  const url = new URL(server.includes("://") ? server : `nats://${server}`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(url.port) || (PORTS[url.protocol] ?? NATS_PORT) };
}

async function tryOnce(
  address: { host: string; port: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const timeout = AbortSignal.timeout(TRY_MS_MAX);
  const socket = connect(address);
  try {
    await once(socket, "connect", {
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } finally {
    socket.on("error", () => undefined).destroy();
  }
}
