import { describe, expect, it } from "vitest";
import { toApiError } from "./api-error.ts";
import { createApiKey } from "./api-key.ts";
import { connect, createGateway } from "./gateway.ts";

const ORIGIN = "http://gateway.test";

function setUp(answer: (url: string, headers: Headers) => Response) {
  const kept = new Map<string, string>();
  const apiKey = createApiKey({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  });
  const asked: string[] = [];
  const client = connect(apiKey, {
    baseUrl: ORIGIN,
    fetch: async (url, init) => {
      const path = new Request(url).url.slice(ORIGIN.length);
      asked.push(path);
      return answer(path, new Headers(init?.headers));
    },
  });
  const gateway = createGateway(client);
  return { gateway, apiKey, asked, kept };
}

const signal = new AbortController().signal;
const PAGE = { plans: [] };
const problem = (status: number, body: object) =>
  Response.json(body, { status, headers: { "content-type": "application/problem+json" } });

const shown = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return toApiError(error);
};

describe("a gateway that requires a key", () => {
  const guarded = (_url: string, headers: Headers) =>
    headers.get("authorization") === "Bearer right"
      ? Response.json(PAGE)
      : problem(401, { code: "unauthorized" });

  it("gets the request again with the entered key, which is kept", async () => {
    const { gateway, apiKey, asked, kept } = setUp(guarded);
    const both = Promise.all([gateway.plans({}, signal), gateway.plans({ q: "x" }, signal)]);
    await expect.poll(() => apiKey.prompt.get()).toEqual({ open: true, refused: false });
    apiKey.enter("right");
    expect(await both).toEqual([PAGE, PAGE]);
    expect(apiKey.prompt.get().open).toBe(false);
    expect(asked).toHaveLength(4);
    expect([...kept.values()]).toEqual(["right"]);
  });

  it("is distinguished from one that refuses the key", async () => {
    const { gateway, apiKey } = setUp(guarded);
    const page = gateway.plans({}, signal);
    await expect.poll(() => apiKey.prompt.get().open).toBe(true);
    apiKey.enter("wrong");
    await expect.poll(() => apiKey.prompt.get()).toEqual({ open: true, refused: true });
    apiKey.enter("right");
    expect(await page).toEqual(PAGE);
  });

  it("is recognized when a proxy in front of it refuses with its own message", async () => {
    const { gateway, apiKey } = setUp((_url, headers) =>
      headers.has("authorization") ? Response.json(PAGE) : new Response("no", { status: 401 }),
    );
    const page = gateway.plans({}, signal);
    await expect.poll(() => apiKey.prompt.get().open).toBe(true);
    apiKey.enter("right");
    expect(await page).toEqual(PAGE);
  });
});

describe("a refusal", () => {
  it("shows the message and each error", async () => {
    const body = {
      title: "The plan has faults",
      detail: "The plan has 2 faults.",
      code: "invalid_plan",
      issues: [{ stepId: "s1", field: "args.url", message: "wanted a URL" }, { message: "too many" }],
    };
    const { gateway } = setUp(() => problem(422, body));
    const refusal = gateway.submit({ goal: "g", strategy: "auto" }, "k", signal);
    expect(await shown(refusal)).toEqual({
      message: "The plan has 2 faults.",
      code: "invalid_plan",
      status: 422,
      issues: ["s1 · args.url: wanted a URL", "too many"],
    });
  });

  it("shows a sentence even without problem+json", async () => {
    const { gateway } = setUp(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
    const refusal = await shown(gateway.plan("p1", signal));
    expect(refusal).toMatchObject({ code: "unexpected_response", status: 502 });
    expect(refusal.message).toContain("answered 502 Bad Gateway: <html>");
  });

  it("reports an unreachable gateway", async () => {
    const { gateway } = setUp(() => {
      throw new TypeError("Failed to fetch");
    });
    const refusal = await shown(gateway.plan("p1", signal));
    expect(refusal).toMatchObject({
      message: "The gateway cannot be reached.",
      code: "unreachable",
      status: 0,
    });
  });
});

it("encodes ids and artifact names so that they stay within their path segment", async () => {
  const { gateway, asked } = setUp(() => Response.json({}));
  await gateway.plan("../system?x#y", signal);
  expect(asked).toEqual(["/v1/plans/..%2Fsystem%3Fx%23y"]);
  expect(gateway.artifactUrl("p1", "charts/a b?.svg")).toBe("/v1/plans/p1/artifacts/charts/a%20b%3F.svg");
});
