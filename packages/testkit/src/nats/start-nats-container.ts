import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { renderNatsConfig } from "@planwright/launcher/nats";
import { limitOfFiles } from "./limit-of-files.ts";
import type { TestNats, TestNatsOptions } from "./start-nats.ts";

const PORT = 4222;
const CONFIG_FILE = "/etc/nats/planwright.conf";
const STORE_DIR = "/tmp/planwright";
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 20;

/** The container counterpart of a nats-server process: the same configuration, behind a fixed host port. */
export async function startNatsContainer({
  image,
  ...options
}: TestNatsOptions & { image: string }): Promise<TestNats> {
  const { GenericContainer, getContainerRuntimeClient, RandomPortGenerator, Wait } = await import(
    "testcontainers"
  );
  // Fixed, because a container that is started again would get another one.
  const port = await new RandomPortGenerator().generatePort();
  const config = renderNatsConfig({ ...options, storeDir: STORE_DIR, host: "0.0.0.0", port: PORT });
  const started = await new GenericContainer(image)
    .withCopyContentToContainer([{ content: config, target: CONFIG_FILE }])
    .withCommand(commandFor(options.maxFileBytes))
    .withExposedPorts({ container: PORT, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const client = await getContainerRuntimeClient();
  const container = client.container.getById(started.getId());
  return {
    url: `nats://${started.getHost()}:${port}`,
    async kill() {
      await container.kill();
    },
    async restart() {
      await container.restart();
      await greeting({ host: started.getHost(), port });
    },
    async [Symbol.asyncDispose]() {
      await started.stop();
    },
  };
}

/** A container that is started again runs the same command: it knows by a file that it is not the first time. */
function commandFor(maxFileBytes: number | undefined): string[] {
  if (maxFileBytes === undefined) return ["-c", CONFIG_FILE];
  const limit = `[ -e /tmp/limited ] || { touch /tmp/limited; ${limitOfFiles(maxFileBytes)}; }`;
  return ["sh", "-c", `${limit}; exec nats-server -c ${CONFIG_FILE}`];
}

/** Waits until the server greets: the engine's own proxy takes connections before the server does. */
async function greeting({ host, port }: { host: string; port: number }): Promise<void> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  for (;;) {
    const socket = connect({ host, port });
    try {
      const first = await Promise.race([once(socket, "data", { signal }), once(socket, "end", { signal })]);
      if (first.length > 0) return;
    } catch {
      signal.throwIfAborted();
    } finally {
      socket.destroy();
    }
    await delay(READY_POLL_MS, undefined, { signal });
  }
}
