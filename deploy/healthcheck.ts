/**
 * The health check of a container. It stands on Node alone, because the image installs only the services.
 *
 *   node deploy/healthcheck.ts http://127.0.0.1:8080/readyz    a service with an HTTP interface answers
 *   node deploy/healthcheck.ts planner                         this container's planner is connected to NATS
 *   node deploy/healthcheck.ts --live planner                  the same, or no server of NATS answers: a restart would not help
 *
 * The last two ask the monitoring interface of nats-server (`NATS_MONITOR_URL`; of a cluster, those of all servers, separated
 * by commas), so that it is the connection of the very process in this container that counts, and not whether NATS can be reached.
 */
import { networkInterfaces } from "node:os";

const TIMEOUT_MS = 4_000;
const CONNECTIONS_MAX = 10_000;

const args = process.argv.slice(2);
const isLiveness = args[0] === "--live";
const target = args.at(-1) ?? "";
try {
  if (target.startsWith("http")) await get(target);
  else await findConnection(target, { isLiveness });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function findConnection(
  service: string,
  { isLiveness }: { readonly isLiveness: boolean },
): Promise<void> {
  const monitors = (process.env["NATS_MONITOR_URL"] || "http://127.0.0.1:8222").split(",");
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address)),
  );
  const isThere = async (monitor: string): Promise<boolean> => {
    const answer: unknown = await (await get(`${monitor.trim()}/connz?limit=${CONNECTIONS_MAX}`)).json();
    return connectionsOf(answer).some(({ name, ip }) => name.startsWith(service) && own.has(ip));
  };
  const found = await Promise.allSettled(monitors.map(isThere));
  if (found.some((one) => one.status === "fulfilled" && one.value)) return;
  const silent = found.find((one) => one.status === "rejected");
  if (isLiveness && silent !== undefined) return;
  // A server of a cluster that does not answer may be down: it has no connections then.
  if (silent !== undefined && monitors.length === 1) throw silent.reason;
  throw new Error(`no connection named ${service} comes from this container`);
}

function connectionsOf(answer: unknown): { name: string; ip: string }[] {
  const list: unknown = isRecord(answer) ? answer["connections"] : undefined;
  if (!Array.isArray(list)) throw new Error("the monitoring interface lists no connections");
  return list.filter(isRecord).map(({ name, ip }) => ({ name: String(name), ip: String(ip) }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}
