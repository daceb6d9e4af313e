// `GET /v1/plans/:planId?wait=`: one request that gets its response when the plan has ended.
import { ENDPOINTS } from "@planwright/api";
import { PlanView } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { store, wholeRun } from "./support/facts.ts";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const watchers = async (): Promise<string | undefined> =>
  /^planwright_watchers (\d+)$/m.exec(await (await gateway.get("/metrics")).text())?.[1];

describe("a request that waits for a plan", () => {
  it("gets its response once the plan has ended", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const waiting = gateway.get(`/v1/plans/${planId}?wait=60`);
    await expect.poll(watchers).toBe("1");
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    const view = PlanView.parse(await (await waiting).json());
    expect([view.ended, view.outcome]).toEqual([true, "succeeded"]);
    expect(PlanView.parse(await (await gateway.get(`/v1/plans/${planId}?wait=60`)).json()).ended).toBe(true);
    expect(await watchers()).toBe("0");
  });

  it("gets the current view when the time is up", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const view = PlanView.parse(await (await gateway.get(`/v1/plans/${planId}?wait=1`)).json());
    expect(view.ended).toBe(false);
    expect(await watchers()).toBe("0");
  });

  it("ends when its client disconnects", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const leaving = new AbortController();
    const waiting = fetch(`${gateway.url}/v1/plans/${planId}?wait=60`, { signal: leaving.signal });
    await expect.poll(watchers).toBe("1");
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(watchers).toBe("0");
  });

  it("is refused above a minute, and for a missing plan", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const long = await gateway.get(`/v1/plans/${planId}?wait=61`);
    expect([long.status, await long.json()]).toMatchObject([400, { code: "invalid_request" }]);
    expect((await gateway.get("/v1/plans/none?wait=60")).status).toBe(404);
  });
});

it("the gateway serves every endpoint of the contract, under each of its paths", async () => {
  for (const { id, method, path, oldPaths = [] } of ENDPOINTS) {
    for (const name of [path, ...oldPaths]) {
      const url = gateway.url + name.replaceAll(/:\w+|\*/g, "none");
      const body = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
      const response = await fetch(url, { method, ...body });
      const text = await response.text();
      expect([id, name, text.includes('"code":"not_found"')]).toEqual([id, name, false]);
    }
  }
});
