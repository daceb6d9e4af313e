// A service that is taken over gives away what it was given: `npm start` gives each the secrets that it reads itself.
import { loadServices } from "@planwright/cli/services";
import { withOwnSecrets } from "@planwright/launcher";
import { describeConfig } from "@planwright/shared/service";
import { expect, it } from "vitest";

const services = (await loadServices()).map(({ name, Config }) => ({
  name,
  secrets: describeConfig(Config).flatMap((setting) => (setting.secret ? [setting.name] : [])),
}));
const everything = Object.fromEntries(services.flatMap(({ secrets }) => secrets).map((name) => [name, "x"]));

it.each(services)("the $name gets its own secrets and no others", ({ name, secrets }) => {
  expect(Object.keys(withOwnSecrets(everything, name)).toSorted()).toEqual(secrets.toSorted());
});

it("several executors are one, and values that are not secrets stay", () => {
  const env = { SMTP_URL: "smtp://x", PLANWRIGHT_API_KEYS: "k", MY_TOOL_TOKEN: "t" };
  expect(withOwnSecrets(env, "executor-2")).toEqual({ SMTP_URL: "smtp://x", MY_TOOL_TOKEN: "t" });
});

it("secrets that steps use are for executors alone", () => {
  const env = { PLANWRIGHT_SECRET_CRM: "value" };
  expect(withOwnSecrets(env, "executor-1")).toEqual(env);
  for (const service of ["gateway", "planner", "reflector"]) expect(withOwnSecrets(env, service)).toEqual({});
});
