import { once } from "node:events";
import { createServer } from "node:net";
import { describeError } from "@planwright/shared/errors";

/** Why an address cannot be used and how to fix it, by the error's code. */
const REFUSALS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `port ${port} on ${host} is already in use: stop the other program, or choose another port, such as PORT=${port + 1} npm start`,
  EACCES: ({ port }) =>
    `port ${port} requires administrator rights: choose a port above 1023, such as PORT=8080 npm start`,
  EADDRNOTAVAIL: ({ host }) => noAddress(host),
  ENOTFOUND: ({ host }) => noAddress(host),
};

type Address = { readonly host: string; readonly port: number };

/**
 * Makes sure that a server can listen on this address now.
 *
 * @throws {Error} When it cannot; the message explains why and how to fix it.
 */
export async function requireFreePort(address: Address): Promise<void> {
  try {
    await listenOnce(address);
  } catch (error) {
    throw new Error(REFUSALS[codeOf(error)]?.(address) ?? describeError(error));
  }
}

/** Returns whether a server can listen on this address now. Throws any error other than "in use". */
export async function isPortFree(address: Address): Promise<boolean> {
  try {
    await listenOnce(address);
    return true;
  } catch (error) {
    if (codeOf(error) === "EADDRINUSE") return false;
    throw error;
  }
}

async function listenOnce(address: Address): Promise<void> {
  const server = createServer();
  try {
    server.listen({ ...address, exclusive: true });
    await once(server, "listening");
  } finally {
    server.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function noAddress(host: string): string {
  return `HOST=${host} is not an address of this machine: unset it to accept local connections only (127.0.0.1), or use 0.0.0.0 to accept all`;
}

/** Returns a port that was free a moment ago. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 });
  try {
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error(`no port on ${host}`);
    return address.port;
  } finally {
    server.close();
  }
}
