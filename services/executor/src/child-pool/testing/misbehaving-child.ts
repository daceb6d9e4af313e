/** A child for tests that misbehaves as each request specifies. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { serveCalls } from "../serve-calls.ts";

const hoard: unknown[] = [];

serveCalls((request) => {
  switch (request) {
    case "spin":
      for (;;) hoard.length = 0;
    case "hoard objects":
      for (;;) hoard.push(Array.from({ length: 1_000 }, () => Math.random()));
    case "hoard native memory":
      for (;;) hoard.push(Buffer.alloc(16 * 1024 * 1024, 1));
    case "exit":
      return process.exit(3);
    case "refuse":
      throw new PermanentError("not this one", { code: "refused" });
    case "be busy":
      throw new TransientError("come back later");
    case "break":
      throw new TypeError("a fault of ours");
    case "pid":
      return process.pid;
    case "environment":
      return Object.keys(process.env);
    case "write a file":
      return writeFileSync(`${import.meta.dirname}/never-written`, "x");
    case "start a process":
      return spawnSync("true").error?.message ?? "started";
    case "open a connection":
      return openConnection();
    default:
      return { echoed: request };
  }
});

function openConnection(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(9, "127.0.0.1", () => resolve("connected"));
    socket.on("error", (error) => resolve(error.message));
  });
}
