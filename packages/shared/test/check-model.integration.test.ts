// One tiny call says whether a role's model answers, and what it accepts.
import { startNats } from "@planwright/testkit";
import { expect, it } from "vitest";
import { connectBus } from "../src/bus/index.ts";
import { askForModelChecks, serveModelCheck } from "../src/model/index.ts";
import { completion, refusal, startModelServer } from "./support/model-server.ts";

const target = { model: "small", apiKey: "secret-key" };

it("says for each role what its model accepts, or the cause and the fix, and names no key", async () => {
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

it("says which service is missing", async () => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  const [planner] = await askForModelChecks(bus);
  expect(planner).toMatchObject({
    role: "planner",
    error: { code: "no_service", message: expect.stringContaining("no planner answers") },
  });
});
