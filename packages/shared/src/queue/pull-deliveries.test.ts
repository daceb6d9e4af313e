import { expect, it } from "vitest";
import { PullRequests } from "./pull-deliveries.ts";

const LIVES_MS = 100;

it("counts outstanding messages: those requested minus those received or refused", () => {
  const requests = new PullRequests(LIVES_MS);
  requests.send("1", 4, 0);
  requests.send("2", 2, 0);
  requests.come();
  expect(requests.waiting).toBe(5);
  requests.end("1", 3);
  expect(requests.waiting).toBe(2);
  requests.end("2", undefined);
  expect(requests.waiting).toBe(0);
});

it("ignores the end of a request that it has forgotten", () => {
  const requests = new PullRequests(LIVES_MS);
  requests.send("1", 4, 0);
  requests.forgetAll();
  requests.send("2", 2, 0);
  requests.end("1", 4);
  expect(requests.waiting).toBe(2);
});

it("frees the slots of a lost request once it has expired, while others are sent", () => {
  const requests = new PullRequests(LIVES_MS);
  requests.send("lost", 8, 0);
  for (let nowMs = 60; nowMs <= 240; nowMs += 60) {
    requests.send(`at ${nowMs}`, 1, nowMs);
    requests.come();
    requests.forgetOver(nowMs);
  }
  // The last two may not have been filled.
  expect(requests.waiting).toBeLessThanOrEqual(2);
});

it("forgets every request once it has expired, however many are filled", () => {
  const requests = new PullRequests(LIVES_MS);
  for (let nowMs = 0; nowMs < 10_000; nowMs++) {
    requests.send(`${nowMs}`, 1, nowMs);
    requests.come();
    requests.forgetOver(nowMs);
  }
  expect(requests.size).toBeLessThanOrEqual(LIVES_MS);
  expect(requests.waiting).toBe(0);
});
