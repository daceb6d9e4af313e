import { once } from "node:events";
import { createServer } from "node:net";
import { describeError } from "@planwright/shared/errors";

/** Why nothing can listen on an address, as a sentence that says what to do, by the error's code. */
const REFUSALS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `port ${port} of ${host} is taken by another program: stop it, or choose another, such as PORT=${port + 1} npm start`,
  EACCES: ({ port }) =>
    `port ${port} is one that only an administrator may listen on: choose one above 1023, such as PORT=8080 npm start`,
  EADDRNOTAVAIL: ({ host }) => noAddress(host),
  ENOTFOUND: ({ host }) => noAddress(host),
};

type Address = { readonly host: string; readonly port: number };

/**
 * Makes sure that a server could listen on this address now.
 *
 * @throws {Error} When it could not; the message says why, and what to do.
 */
export async function requireFreePort(address: Address): Promise<void> {
  try {
    await listenOnce(address);
  } catch (error) {
    throw new Error(REFUSALS[codeOf(error)]?.(address) ?? describeError(error));
  }
}

/** Whether a server could listen on this address now. Any fault but "in use" is the caller's to see. */
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
  return `HOST=${host} is no address of this machine: leave it out for this machine alone (127.0.0.1), or 0.0.0.0 for all`;
}

/** A port that was free a moment ago. */
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
