import { describe, expect, it } from "vitest";
import { z } from "zod";
import { commonConfig } from "./common-config.ts";
import {
  boolean,
  duration,
  headers,
  integer,
  json,
  list,
  oneOf,
  port,
  ratio,
  secret,
  text,
  url,
} from "./config-values.ts";
import { modelConfig, modelSettings } from "./model-config.ts";
import { ConfigError, describeConfig, type Environment, readConfig } from "./read-config.ts";

const Sample = z.object({
  PORT: port().default(8080).meta({ description: "Where it listens." }),
  KEY: secret(),
  POOLS: list().default(["default"]),
  SERVER: url({ schemes: ["http"] }),
  PAUSE: duration({ minMs: 1 }).optional(),
});

function faultsOf(Config: z.ZodObject, env: Environment) {
  try {
    readConfig(Config, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe("reading the environment", () => {
  it("parses texts to values and fills in defaults", () => {
    expect(readConfig(Sample, { KEY: " k ", SERVER: "http://a.example/v1/", PAUSE: "90s" })).toEqual({
      PORT: 8080,
      KEY: "k",
      POOLS: ["default"],
      SERVER: "http://a.example/v1",
      PAUSE: 90_000,
    });
  });

  it("reports all faults together, with expected and actual values", () => {
    expect(faultsOf(Sample, { PORT: "80a", SERVER: "ftp://a", POOLS: "a,,b", PAUSE: "0s" })).toEqual([
      { name: "PORT", wanted: "a port number from 0 to 65535", came: '"80a"' },
      { name: "KEY", wanted: "a secret", came: "nothing (it is not set)" },
      { name: "POOLS", wanted: "a list separated by commas", came: '"a,,b"' },
      { name: "SERVER", wanted: "a URL that starts with http://", came: '"ftp://a"' },
      { name: "PAUSE", wanted: expect.stringContaining("a duration such as 500ms"), came: '"0s"' },
    ]);
  });

  it("treats an empty value as unset, and reports it when the variable is required", () => {
    expect(readConfig(Sample, { KEY: "k", SERVER: "http://a", PORT: "", PAUSE: "" })).toMatchObject({
      PORT: 8080,
    });
    expect(faultsOf(Sample, { KEY: "k", SERVER: "" })).toMatchObject([
      { name: "SERVER", came: "an empty value" },
    ]);
  });

  it("prints no secrets, no passwords inside URLs and no overlong values", () => {
    const Secretive = z.object({ KEY: secret().pipe(z.string().max(3)), SERVER: url({ schemes: ["http"] }) });
    const faults = faultsOf(Secretive.extend({ KEY: secret() }), {
      KEY: "  ",
      SERVER: "nats://me:pass@host",
    });
    expect(JSON.stringify(faults)).not.toContain("pass@");
    expect(faults).toMatchObject([{ came: "a value that is not shown" }, { came: '"nats://***@host"' }]);
    expect(faultsOf(Sample, { KEY: "k", SERVER: "x".repeat(9_000) })[0]?.came.length).toBeLessThan(100);
  });

  it.each([
    ["a port above the range", port(), "65536"],
    ["a negative port", port(), "-1"],
    ["a number with a unit", integer({ min: 1, max: 10 }), "5s"],
    ["a fraction where whole numbers count", integer({ min: 1, max: 10 }), "1.5"],
    ["a number out of bounds", integer({ min: 1, max: 10 }), "11"],
    ["a duration without unit", duration(), "500"],
    ["never, where it is not offered", duration(), "0"],
    ["a duration below the least one", duration({ minMs: 60_000, orNever: true }), "1s"],
    ["a word that is not true or false", boolean(), "yes"],
    ["a share above 1", ratio(), "1.1"],
    ["an unknown word", oneOf(["a", "b"]), "c"],
    ["a URL without host", url({ schemes: ["http"] }), "http://"],
    ["a header without value", headers(), "a=1,b"],
    ["a broken percent sequence", headers(), "a=%zz"],
    ["white space", text(), "  "],
    ["broken JSON", json(z.object({}), { wanted: "JSON" }), "{"],
    ["JSON of another shape", json(z.object({ a: z.number() }), { wanted: "JSON" }), "{}"],
  ])("refuses %s", (_, schema, value) => {
    expect(faultsOf(z.object({ X: schema }), { X: value })).toHaveLength(1);
  });

  it.each([
    [port(), "0", 0],
    [boolean(), "TRUE", true],
    [boolean(), "0", false],
    [ratio(), "0.25", 0.25],
    [duration(), "2h", 7_200_000],
    [duration({ minMs: 60_000, orNever: true }), "0", 0],
    [duration({ minMs: 60_000, orNever: true }), "7d", 604_800_000],
    [headers(), "Authorization=Basic%20eA==, x-team=a", { authorization: "Basic eA==", "x-team": "a" }],
    [list(), " a, b,a ", ["a", "b"]],
    [url({ schemes: ["nats", "tls"] }), "tls://h:4222", "tls://h:4222"],
  ])("accepts a well-formed value (%#)", (schema, value, expected) => {
    expect(readConfig(z.object({ X: schema }), { X: value })).toEqual({ X: expected });
  });
});

describe("the reference of a configuration", () => {
  it("knows each variable's description, default and secrecy through its wrappers", () => {
    expect(describeConfig(Sample).slice(0, 3)).toEqual([
      {
        name: "PORT",
        description: "Where it listens.",
        wanted: "a port number from 0 to 65535",
        required: false,
        secret: false,
        default: "8080",
      },
      { name: "KEY", description: "", wanted: "a secret", required: true, secret: true },
      {
        name: "POOLS",
        description: "",
        wanted: "a list separated by commas",
        required: false,
        secret: false,
        default: "default",
      },
    ]);
  });

  it("has a description for every common and model setting", () => {
    const all = describeConfig(commonConfig.extend(modelConfig("PLANNER")));
    expect(all.filter((setting) => setting.description === "")).toEqual([]);
    expect(all.filter((setting) => setting.required)).toEqual([]);
  });
});

describe("the model of a role", () => {
  const Config = z.object(modelConfig("PLANNER"));
  const settings = (env: Environment) => modelSettings(readConfig(Config, env), "PLANNER");

  it("falls back to the shared server and key", () => {
    expect(
      settings({ OPENAI_BASE_URL: "http://m:1/v1", OPENAI_API_KEY: "shared", PLANNER_MODEL: "big" }),
    ).toMatchObject({ baseUrl: "http://m:1/v1", apiKey: "shared", model: "big", prices: {}, fallbacks: [] });
  });

  it("uses its own server and key when it has them", () => {
    expect(
      settings({
        PLANNER_BASE_URL: "http://own:1/v1",
        PLANNER_API_KEY: "own",
        OPENAI_API_KEY: "shared",
        MODEL_PRICES: '{"m":{"inputUsdPerMillion":1,"outputUsdPerMillion":2}}',
      }),
    ).toMatchObject({
      baseUrl: "http://own:1/v1",
      apiKey: "own",
      prices: { m: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } },
    });
  });

  it("sends the shared key only to the server it is configured for", () => {
    const own = { PLANNER_BASE_URL: "http://own:1/v1", OPENAI_API_KEY: "shared" };
    expect(settings(own)).toMatchObject({ apiKey: undefined, keyWithheld: true });
    expect(settings({ ...own, OPENAI_API_KEY_EVERYWHERE: "true" }).apiKey).toBe("shared");
    expect(settings({ ...own, OPENAI_BASE_URL: "http://own:1/openai" })).toMatchObject({ apiKey: "shared" });
    expect(settings({ ...own, OPENAI_BASE_URL: "http://own:2/v1" }).apiKey).toBeUndefined();
    expect(settings({ PLANNER_BASE_URL: "http://own:1/v1" }).keyWithheld).toBeUndefined();
  });

  it("sends the shared headers with the shared key only", () => {
    const shared = { OPENAI_KEY_HEADER: "api-key", OPENAI_HEADERS: "X-Title=Planwright" };
    expect(settings(shared)).toMatchObject({ keyHeader: "api-key", headers: { "x-title": "Planwright" } });
    const own = settings({ ...shared, PLANNER_BASE_URL: "http://own:1/v1" });
    expect([own.keyHeader, own.headers]).toEqual([undefined, undefined]);
  });

  it("gives each fallback the key of its own server", () => {
    const list = [
      "small",
      { model: "local", baseUrl: "http://localhost:11434/v1" },
      { model: "far", baseUrl: "http://far:1/v1", apiKey: "far" },
    ];
    const { fallbacks } = settings({ OPENAI_API_KEY: "shared", PLANNER_FALLBACKS: JSON.stringify(list) });
    expect(fallbacks.map(({ model, apiKey }) => [model, apiKey])).toEqual([
      ["small", "shared"],
      ["local", undefined],
      ["far", "far"],
    ]);
    expect(() => settings({ PLANNER_FALLBACKS: '[{"name": "x"}]' })).toThrow(
      /PLANNER_FALLBACKS: wanted JSON/,
    );
  });

  it("plans with temperature 0, and leaves the temperature of other roles to the server", () => {
    expect(settings({}).temperature).toBe(0);
    expect(settings({ PLANNER_TEMPERATURE: "0.7", PLANNER_REASONING_EFFORT: "low" })).toMatchObject({
      temperature: 0.7,
      reasoningEffort: "low",
    });
    const executor = readConfig(z.object(modelConfig("EXECUTOR")), {});
    expect(modelSettings(executor, "EXECUTOR").temperature).toBeUndefined();
  });

  it("has limits for time and calls", () => {
    expect(settings({ MODEL_CALL_MS: "5000", MODEL_TRIES_MAX: "2" }).limits).toMatchObject({
      totalMs: 5_000,
      triesMax: 2,
      patienceMs: 30_000,
    });
  });
});
