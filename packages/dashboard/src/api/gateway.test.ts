import { describe, expect, it, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { createApiKey, socketProtocols } from "./api-key.ts";
import { createGateway } from "./gateway.ts";

function setUp(answer: (url: string, headers: Headers) => Response) {
  const kept = new Map<string, string>();
  const apiKey = createApiKey({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
  });
  const asked: string[] = [];
  const gateway = createGateway({
    fetch: async (url, init) => {
      const path = typeof url === "string" ? url : "";
      asked.push(path);
      return answer(path, new Headers(init?.headers));
    },
    apiKey,
  });
  return { gateway, apiKey, asked, kept };
}

const signal = new AbortController().signal;
const PAGE = { plans: [] };
const problem = (status: number, body: object) =>
  Response.json(body, { status, headers: { "content-type": "application/problem+json" } });

describe("a gateway that wants a key", () => {
  const guarded = (_url: string, headers: Headers) =>
    headers.get("authorization") === "Bearer right"
      ? Response.json(PAGE)
      : problem(401, { code: "unauthorized" });

  it("is asked again with the key that was entered, which is kept", async () => {
    const { gateway, apiKey, asked, kept } = setUp(guarded);
    const both = Promise.all([gateway.plans({}, signal), gateway.plans({ q: "x" }, signal)]);
    await vi.waitFor(() => expect(apiKey.prompt.get()).toEqual({ open: true, refused: false }));
    apiKey.enter("right");
    expect(await both).toEqual([PAGE, PAGE]);
    expect(apiKey.prompt.get().open).toBe(false);
    expect(asked).toHaveLength(4);
    expect([...kept.values()]).toEqual(["right"]);
  });

  it("is told apart from one that refuses the key", async () => {
    const { gateway, apiKey } = setUp(guarded);
    const page = gateway.plans({}, signal);
    await vi.waitFor(() => expect(apiKey.prompt.get().open).toBe(true));
    apiKey.enter("wrong");
    await vi.waitFor(() => expect(apiKey.prompt.get()).toEqual({ open: true, refused: true }));
    apiKey.enter("right");
    expect(await page).toEqual(PAGE);
  });

  it("gets the key as a subprotocol of the WebSocket", () => {
    expect(socketProtocols(undefined)).toEqual(["planwright.v1"]);
    const [, bearer] = socketProtocols("ключ/+=?");
    expect(bearer).toMatch(/^bearer\.[\w-]+$/);
    expect(Buffer.from(bearer?.slice("bearer.".length) ?? "", "base64url").toString()).toBe("ключ/+=?");
  });
});

describe("a refusal", () => {
  it("says what is wrong, with the faults one by one", async () => {
    const body = {
      title: "The plan has faults",
      detail: "The plan has 2 faults.",
      code: "invalid_plan",
      issues: [{ stepId: "s1", field: "args.url", message: "wanted a URL" }, { message: "too many" }],
    };
    const { gateway } = setUp(() => problem(422, body));
    const refusal = gateway.submit({ goal: "g", strategy: "auto" }, "k", signal);
    await expect(refusal).rejects.toMatchObject({
      message: "The plan has 2 faults.",
      code: "invalid_plan",
      status: 422,
      issues: ["s1 · args.url: wanted a URL", "too many"],
    });
  });

  it("that is no problem+json is still a sentence", async () => {
    const { gateway } = setUp(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
    await expect(gateway.plan("p1", signal)).rejects.toMatchObject({
      message: "The gateway answered 502 Bad Gateway",
      code: "http-502",
    });
  });

  it("of a gateway that does not answer says so", async () => {
    const { gateway } = setUp(() => {
      throw new TypeError("Failed to fetch");
    });
    const refusal = await gateway.plan("p1", signal).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ code: "unreachable", status: 0 });
  });
});

it("keeps ids and names of artifacts inside of their place in the address", async () => {
  const { gateway, asked } = setUp(() => Response.json({}));
  await gateway.plan("../system?x#y", signal);
  expect(asked).toEqual(["/v1/plans/..%2Fsystem%3Fx%23y"]);
  expect(gateway.artifactUrl("p1", "charts/a b?.svg")).toBe("/v1/plans/p1/artifacts/charts/a%20b%3F.svg");
});
