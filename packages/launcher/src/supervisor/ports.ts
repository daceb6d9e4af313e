import { once } from "node:events";
import { createServer } from "node:net";

/** Whether a server could listen on this address now. Any fault but "in use" is the caller's to see. */
export async function isPortFree({ host, port }: { host: string; port: number }): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  } finally {
    server.close();
  }
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
