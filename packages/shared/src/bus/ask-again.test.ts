import { errors } from "@nats-io/transport-node";
import { pino } from "pino";
import { expect, it } from "vitest";
import { askAgain } from "./ask-again.ts";

/** A server that ignores the first `times` requests and then returns `answer`. */
function silentFor(times: number, answer = "done") {
  let asked = 0;
  return {
    ask: async (): Promise<string> => {
      asked++;
      if (asked <= times) throw new errors.TimeoutError();
      return answer;
    },
    asked: () => asked,
  };
}

function collectingLog() {
  const lines: unknown[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

it("repeats a request that the server did not answer", async () => {
  const server = silentFor(2);
  await expect(askAgain("read", server.ask)).resolves.toBe("done");
  expect(server.asked()).toBe(3);
});

it("stops after the time limit and throws the last failure", async () => {
  const server = silentFor(100);
  await expect(askAgain("read", server.ask, { withinMs: 300 })).rejects.toThrow(errors.TimeoutError);
  expect(server.asked()).toBeLessThan(100);
});

it("warns once about slow requests, and not about brief failures", async () => {
  const { log, lines } = collectingLog();
  await askAgain("read the leases", silentFor(2).ask, { log });
  expect(lines).toEqual([]);
  await askAgain("read the leases", silentFor(5).ask, { log });
  expect(lines).toEqual([expect.objectContaining({ level: 40, what: "read the leases", withinMs: 30_000 })]);
});

it("sends a request only once when the server rejects it", async () => {
  let asked = 0;
  const refuse = async (): Promise<void> => {
    asked++;
    throw new Error("refused");
  };
  await expect(askAgain("read", refuse)).rejects.toThrow("refused");
  expect(asked).toBe(1);
});
