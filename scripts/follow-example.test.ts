// A plan that waits for approval, from a small server of events.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@planwright/testkit";
import { expect, it, vi } from "vitest";
import { followExample } from "./example/follow-example.ts";

const eventOf = (seq: number, type: string, data: object) =>
  `id: ${seq}\ndata: ${JSON.stringify({ id: `p/${seq}`, type, planId: "p", at: "2026-01-01T00:00:00.000Z", data })}\n\n`;
const ASKS = eventOf(1, "approval.requested", {
  approvalId: "plan-1",
  kind: "plan",
  question: "Run this plan?",
  expiresAfterMs: 60_000,
});
const ENDS = eventOf(2, "plan.ended", { outcome: "succeeded", reason: "done" });

it("waits for approval without a deadline", async () => {
  const decided = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(ASKS);
    void decided.promise.then(() => response.end(ENDS));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using _closing = { [Symbol.asyncDispose]: async () => void server.close() };
  // Any deadline would expire immediately.
  const deadlines = vi
    .spyOn(AbortSignal, "timeout")
    .mockReturnValue(AbortSignal.abort(new Error("too late")));
  using _restoring = { [Symbol.dispose]: () => deadlines.mockRestore() };

  const { port } = server.address() as AddressInfo;
  const client = createClient(`http://127.0.0.1:${port}`);
  const lines: string[] = [];
  const asked: string[] = [];
  const onEvent = async ({ type }: { type: string }) => {
    if (type !== "approval.requested") return;
    asked.push(type);
    decided.resolve();
  };
  await followExample({ client, planId: "p", print: (line) => lines.push(line), onEvent });
  expect(asked).toEqual(["approval.requested"]);
  expect(lines).toEqual([
    expect.stringContaining("approval.requested"),
    expect.stringMatching(/plan\.ended +succeeded$/),
  ]);
});
