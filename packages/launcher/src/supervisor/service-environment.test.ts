import { expect, it } from "vitest";
import { namesModel, reachableHost, serviceEnvironment } from "./service-environment.ts";

const settings = { natsUrl: "nats://127.0.0.1:1", dataDir: "/data", host: "127.0.0.1", port: 8080 };

it("sets the gateway's own trace receiver, in addition to one that the user sets", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  expect(serviceEnvironment(endpoint, settings)).toMatchObject({
    PLANWRIGHT_TRACE_RECEIVER: "http://127.0.0.1:8080/otlp",
    ...endpoint,
  });
});

it("keeps a gateway receiver that the user sets, and creates no key for it", () => {
  const named = { PLANWRIGHT_TRACE_RECEIVER: "http://gateway/otlp", PLANWRIGHT_API_KEYS: "k1" };
  const env = serviceEnvironment(named, settings);
  expect(env["PLANWRIGHT_TRACE_RECEIVER"]).toBe("http://gateway/otlp");
  expect(env).not.toHaveProperty("PLANWRIGHT_TRACE_RECEIVER_HEADERS");
});

it("creates a new key for the gateway's receiver at each start if API keys are set", () => {
  const keyOf = (given: Record<string, string>) => {
    const env = serviceEnvironment(given, settings);
    const key = env["PLANWRIGHT_TRACE_RECEIVER_KEY"];
    expect(env["PLANWRIGHT_TRACE_RECEIVER_HEADERS"]).toBe(key && `authorization=Bearer ${key}`);
    return key;
  };
  expect(keyOf({})).toBeUndefined();
  expect(keyOf({ PLANWRIGHT_API_KEYS: "acme:k1,k2" })).toMatch(/^[\w-]{32}$/);
  expect(keyOf({ OIDC_ISSUER: "https://id.example" })).toMatch(/^[\w-]{32}$/);
  expect(keyOf({ PLANWRIGHT_API_KEYS: "k1" })).not.toBe(keyOf({ PLANWRIGHT_API_KEYS: "k1" }));
  expect(keyOf({ PLANWRIGHT_API_KEYS: "k1", PLANWRIGHT_TRACE_RECEIVER_KEY: "chosen-by-the-user" })).toBe(
    "chosen-by-the-user",
  );
});

it.each([
  [{}, "1"],
  [{ PLANWRIGHT_API_KEYS: "k1,k2" }, "1"],
  [{ PLANWRIGHT_API_KEYS: "default:k1, k2" }, "1"],
  [{ PLANWRIGHT_API_KEYS: "ada:k1, bob:k2,ada:k3" }, "2"],
  [{ PLANWRIGHT_API_KEYS: "ada:k1,k2" }, "2"],
  [{ PLANWRIGHT_API_KEYS: "acme/ann:k1,acme/bob:k2" }, "1"],
  [{ OIDC_ISSUER: "https://id.example" }, "2"],
  [{ OIDC_ISSUER: "https://id.example", OIDC_TENANT: "acme" }, "1"],
  [{ OIDC_ISSUER: "https://id.example", OIDC_TENANT: "acme", PLANWRIGHT_API_KEYS: "acme:k1" }, "1"],
  [{ OIDC_ISSUER: "https://id.example", OIDC_TENANT: "acme", PLANWRIGHT_API_KEYS: "k1" }, "2"],
])("with %o, counts %s tenants for the executors", (env, count) => {
  expect(serviceEnvironment(env, settings)["PLANWRIGHT_TENANTS"]).toBe(count);
});

it("keeps the number of tenants that the user sets", () => {
  const env = serviceEnvironment({ PLANWRIGHT_TENANTS: "5", PLANWRIGHT_API_KEYS: "k" }, settings);
  expect(env["PLANWRIGHT_TENANTS"]).toBe("5");
});

it("enlarges Node's young generation, unless the user sets its size", () => {
  const optionsWith = (given: string) =>
    serviceEnvironment({ NODE_OPTIONS: given }, settings)["NODE_OPTIONS"];
  expect(serviceEnvironment({}, settings)["NODE_OPTIONS"]).toBe("--max-semi-space-size=64");
  expect(optionsWith("--trace-warnings")).toBe("--max-semi-space-size=64 --trace-warnings");
  expect(optionsWith("--max-semi-space-size=16")).toBe("--max-semi-space-size=16");
});

it("sets the demo model in every role when it is used", () => {
  const env = serviceEnvironment(
    { PLANNER_MODEL: "big" },
    { ...settings, offlineModel: { url: "http://m/v1", name: "rules" } },
  );
  expect(env).toMatchObject({
    OPENAI_BASE_URL: "http://m/v1",
    PLANNER_MODEL: "rules",
    EXECUTOR_MODEL: "rules",
    REFLECTOR_MODEL: "rules",
  });
});

it.each([
  [{}, false],
  [{ OPENAI_API_KEY: "" }, false],
  [{ OPENAI_API_KEY: "k" }, true],
  [{ OPENAI_BASE_URL: "http://m/v1" }, true],
  [{ REFLECTOR_API_KEY: "k" }, true],
  [{ PLANNER_MODEL: "big" }, false],
])("with %o, returns %s for whether a model is set", (env, named) => {
  expect(namesModel(env)).toBe(named);
});

it.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["::1", "[::1]"],
  ["192.0.2.1", "192.0.2.1"],
])("reaches a server that listens on %s at %s", (host, reachable) => {
  expect(reachableHost(host)).toBe(reachable);
});
