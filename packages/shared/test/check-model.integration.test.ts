// One tiny call finds out whether a role's model answers, and which formats it accepts.
import { startNats } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { connectBus } from "../src/bus/index.ts";
import { askForModelChecks, serveModelCheck } from "../src/model/index.ts";
import { modelConfig, modelSettings, readConfig } from "../src/service/index.ts";
import { completion, refusal, startModelServer } from "./support/model-server.ts";

const target = { model: "small", apiKey: "secret-key" };

it("reports for each role the formats that its model accepts, or the cause and the fix, and reveals no key", async () => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  await using strict = await startModelServer(completion('{"ok": true}'));
  await using lax = await startModelServer(refusal(400, { message: "response_format" }), completion("Sure!"));
  await using locked = await startModelServer(refusal(401, { message: "no such key" }));
  await using _planner = serveModelCheck(bus, { ...target, ...strict, role: "planner" });
  await using _executor = serveModelCheck(bus, { ...target, ...lax, role: "executor" });
  await using _reflector = serveModelCheck(bus, {
    ...target,
    ...locked,
    role: "reflector",
    settingNames: { key: "REFLECTOR_API_KEY", url: "REFLECTOR_BASE_URL", model: "REFLECTOR_MODEL" },
  });
  const checks = await askForModelChecks(bus);
  expect(checks).toMatchObject([
    { role: "planner", model: "small", answeredBy: "m-1", format: "json_schema", isJson: true },
    { role: "executor", format: "json_object", isJson: false },
    {
      role: "reflector",
      error: { code: "model_key_refused", message: expect.stringContaining("is REFLECTOR_API_KEY right?") },
    },
  ]);
  expect(JSON.stringify(checks)).not.toContain("secret-key");
  await askForModelChecks(bus);
  expect(strict.requests).toHaveLength(1);
});

it("calls each fallback model too, and reports withheld keys", async () => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  await using own = await startModelServer(completion('{"ok": true}'));
  await using other = await startModelServer(refusal(401, { message: "no key" }));
  const Config = z.object(modelConfig("PLANNER"));
  const env = {
    OPENAI_API_KEY: "secret-key",
    PLANNER_BASE_URL: own.baseUrl,
    PLANNER_FALLBACKS: JSON.stringify(["small", { model: "far", baseUrl: other.baseUrl }]),
  };
  const settings = modelSettings(readConfig(Config, env), "PLANNER");
  await using _planner = serveModelCheck(bus, { ...settings, role: "planner" });
  const checks = (await askForModelChecks(bus)).filter(({ role }) => role === "planner");
  expect(checks).toMatchObject([
    { role: "planner", answeredBy: "m-1", keyWithheld: "PLANNER_API_KEY" },
    { role: "planner", fallback: 1, model: "small", answeredBy: "m-1", keyWithheld: "PLANNER_API_KEY" },
    {
      fallback: 2,
      model: "far",
      server: new URL(other.baseUrl).origin,
      keyWithheld: "apiKey in PLANNER_FALLBACKS",
      error: {
        code: "model_key_refused",
        message: expect.stringContaining(
          "OPENAI_API_KEY is not sent to this server: set apiKey in PLANNER_FALLBACKS",
        ),
      },
    },
  ]);
  expect(checks[0]).not.toHaveProperty("fallback");
  expect([own.requests.length, other.requests.length]).toEqual([2, 1]);
});

it("names the missing service", async () => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  const [planner] = await askForModelChecks(bus);
  expect(planner).toMatchObject({
    role: "planner",
    error: { code: "no_service", message: expect.stringContaining("no planner answers") },
  });
});
