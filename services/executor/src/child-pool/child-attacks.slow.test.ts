// Runs code in a child's own process, as an attacker would after breaking out of the sandbox inside it, against files, other
// processes, the network and the environment. Node's permission model and the rights that a child drops at its start must stop
// it.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { CODE_PATHS } from "./code-paths.ts";
import { type ChildPool, createChildPool } from "./create-child-pool.ts";
import { type AttackedServers, startAttackedServers } from "./testing/attacked-servers.ts";
import { ATTACK_NAMES, type AttackName } from "./testing/attacks.ts";

const SECRET = JSON.stringify({ password: "correct horse" });
const patient = { signal: new AbortController().signal, timeoutMs: 60_000 };

let servers: AttackedServers;
beforeAll(async () => {
  servers = await startAttackedServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

/** Creates the targets of one attack. */
function prepare() {
  using opening = new DisposableStack();
  const folder = opening.use(tempFolder());
  const secret = folder.write("secret.json", SECRET);
  const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  opening.defer(() => void victim.kill("SIGKILL"));
  const priority = getPriority(victim.pid);
  const { port, socket } = servers;
  const target = { port, socket, secret, folder: folder.path, victim: victim.pid, parent: process.pid };
  const made = opening.move();
  return {
    target,
    /** Fails unless all targets are unchanged. */
    check() {
      expect(readFileSync(secret, "utf8")).toBe(SECRET);
      expect(statSync(secret).mode & 0o777).toBe(0o644);
      expect(readdirSync(folder.path)).toEqual(["secret.json"]);
      expect(existsSync(join(import.meta.dirname, "testing", "never-written"))).toBe(false);
      expect([victim.exitCode, victim.signalCode, getPriority(victim.pid)]).toEqual([null, null, priority]);
    },
    [Symbol.dispose]: () => made.dispose(),
  };
}

describe("code in a child's own process", () => {
  let pool: ChildPool;
  beforeAll(() => {
    pool = createChildPool({
      entry: new URL("./testing/hostile-child.ts", import.meta.url),
      readablePaths: CODE_PATHS,
      memoryMb: 256,
      size: 1,
    });
  });
  afterAll(() => pool[Symbol.dispose]());

  it.each(ATTACK_NAMES)("does not %s", async (attack) => {
    using made = prepare();
    const got = await pool.call({ attack, ...made.target }, patient).catch((error: unknown) => error);
    expect(got).toBeInstanceOf(Error);
    expect(String(got)).not.toContain("correct horse");
    made.check();
  });
});

/** These find nothing, or cannot report it: every child's environment is empty, and another program is not a child. */
const CANNOT_TELL: ReadonlySet<AttackName> = new Set<AttackName>([
  "read the environment",
  "read the environment of its process",
  "become another program",
]);

describe("an attack", () => {
  let pool: ChildPool;
  beforeAll(() => {
    pool = createChildPool({
      entry: new URL("./testing/unguarded-child.ts", import.meta.url),
      // Empty: a path would become a Node permission option, and Node does not start with one while permissions are off.
      readablePaths: [],
      memoryMb: 512,
      size: 1,
      usesSqlite: true,
      flags: ["--no-permission", "--no-allow-worker", "--addons", "--experimental-ffi"],
    });
  });
  afterAll(() => {
    pool[Symbol.dispose]();
    rmSync(join(import.meta.dirname, "testing", "never-written"), { force: true });
  });

  it.each(ATTACK_NAMES.filter((attack) => !CANNOT_TELL.has(attack)))(
    "can %s without protection",
    async (attack) => {
      using made = prepare();
      await expect(pool.call({ attack, ...made.target }, patient)).resolves.toMatchObject({
        got: expect.any(String),
      });
    },
  );
});
