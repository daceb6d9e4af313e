/**
 * Ends a test process when the run that started it is gone, even if the run was killed and a test never returns
 * to the event loop. The processes it started end with it: services by their channel, nats-server and browser by
 * their pipes.
 *
 * A thread watches, because a busy test cannot block it.
 */
import { Worker } from "node:worker_threads";

const POLL_MS = 500;
const WATCH = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, ${POLL_MS});
`;
const WATCHED = Symbol.for("planwright.test.ends-with-parent");

// Vitest runs this once for each test file.
if (!Object.hasOwn(globalThis, WATCHED)) {
  // Vitest ends its processes with SIGTERM; a normal exit releases what they have started.
  process.once("SIGTERM", () => process.exit(143));
  Object.assign(globalThis, { [WATCHED]: new Worker(WATCH, { eval: true, execArgv: [] }).unref() });
}
