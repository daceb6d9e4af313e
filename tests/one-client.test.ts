// The contract is written once, and what calls the gateway does so through the client.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");

/** A request of the gateway's paths, or a connection of one's own. */
const OWN_CALL =
  /(?<![.\w])fetch\([^;]{0,40}\/(?:v1|otlp|healthz|readyz)\b|new (?:WebSocket|EventSource)\(|\bEventSourceParserStream\b/;

/** What speaks the protocol itself: to test it, or to measure it. */
const SPEAKS_PROTOCOL: Readonly<Record<string, string>> = {
  "packages/testkit/src/system/system-services.ts": "asks every gateway of a system whether it is ready",
  "services/executor/src/child-pool/testing/attacks.ts": "attacks that a sandbox holds back",
  "services/executor/src/sandbox/sandbox-attacks.slow.test.ts": "attacks that a sandbox holds back",
  "benchmarks/src/page/hear-successes.ts": "measures the socket as the page reads it",
  "benchmarks/src/system/start-bench-system.ts": "asks every gateway of a system whether it is ready",
  "benchmarks/src/system/plan-client.ts": "measures submissions over the socket",
  "benchmarks/src/workloads/watchers.ts": "a thousand sockets, whose messages are counted unparsed",
  "tests/support/connect-socket.ts": "tests of the socket",
  "tests/watchers.full.test.ts": "thousands of sockets that do not read",
  "services/gateway/test/support/connect-socket.ts": "tests of the socket",
  "services/gateway/test/refusals.integration.test.ts": "requests that no client sends",
  "services/gateway/test/events.integration.test.ts": "the stream of events, byte by byte",
  "services/gateway/test/side-routes.integration.test.ts": "headers and bodies that no client sends",
  "services/gateway/test/waiting.integration.test.ts": "requests that are broken off",
  "services/gateway/test/dead-letters.integration.test.ts": "the statuses of answers",
  "services/gateway/test/traces.integration.test.ts": "the OTLP receiver",
};

/** Requests of benchmarks that go to other servers than a gateway. */
const OTHER_SERVERS = [
  "benchmarks/src/llm-compiler/search-executor.ts",
  "benchmarks/src/llm-compiler/modes/run-mode.ts",
];

const files = (
  await Array.fromAsync(
    glob("{packages,services,tests,benchmarks,examples,scripts}/**/*.{ts,tsx}", { cwd: ROOT }),
  )
).filter(
  (file) =>
    !file.includes("node_modules") &&
    !/^packages\/(?:api|client)\//.test(file) &&
    !file.endsWith("tests/one-client.test.ts"),
);
const texts = new Map(
  await Promise.all(
    files.map(async (file) => [file, await readFile(path.join(ROOT, file), "utf8")] as const),
  ),
);

it("finds calls of the gateway outside of the client only where the protocol itself is meant", () => {
  const found = [...texts].flatMap(([file, text]) => (OWN_CALL.test(text) ? [file] : []));
  expect(found.toSorted()).toEqual(Object.keys(SPEAKS_PROTOCOL).toSorted());
});

it("finds benchmarks that make their own request or connection only where the reason is given", () => {
  const own = [...texts].filter(
    ([file, text]) => file.startsWith("benchmarks/") && /(?<![.\w])fetch\(|new WebSocket\(/.test(text),
  );
  const measured = Object.keys(SPEAKS_PROTOCOL).filter((file) => file.startsWith("benchmarks/"));
  expect(own.map(([file]) => file).toSorted()).toEqual([...measured, ...OTHER_SERVERS].toSorted());
});

it("finds the contract only where it is served, and where the client and the page take their types from it, tests aside", () => {
  const users = [...texts].flatMap(([file, text]) =>
    /from "@planwright\/api"/.test(text) && !file.endsWith(".test.ts")
      ? [file.split("/").slice(0, 2).join("/")]
      : [],
  );
  expect([...new Set(users)].toSorted()).toEqual(["packages/dashboard", "scripts/docs", "services/gateway"]);
});
