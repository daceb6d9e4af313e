import { apiKeyOf } from "@planwright/shared/service";
import { expect, it } from "vitest";
import { createAuthenticate } from "./authenticate.ts";

const sent = (key: string) => ({ authorization: `Bearer ${key}`, protocols: undefined, withSpans: false });

it("admits valid keys while invalid ones are delayed, at most a thousand at a time", async () => {
  const pause = Promise.withResolvers<void>();
  const authenticate = createAuthenticate([apiKeyOf("ada/jo:right")], { pause: () => pause.promise });
  const wrong = Array.from({ length: 1_000 }, (_, at) => authenticate(sent(`wrong-${at}`)));
  const answers = Promise.allSettled(wrong);
  expect(await authenticate(sent("right"))).toEqual({
    tenant: "ada",
    identity: "ada/jo",
    role: "operator",
  });
  await expect(authenticate(sent("one-more"))).rejects.toMatchObject({ code: "rate_limited" });
  const still = Symbol("still waiting");
  expect(await Promise.race([wrong[0], Promise.resolve(still)])).toBe(still);

  pause.resolve();
  const codes = (await answers).map((answer) => answer.status === "rejected" && answer.reason.code);
  expect(new Set(codes)).toEqual(new Set(["unauthorized"]));
  await expect(authenticate(sent("again"))).rejects.toMatchObject({ code: "unauthorized" });
});

it("lets the services' key send spans, and nothing else", async () => {
  const traceKey = "of-the-services-1";
  const authenticate = createAuthenticate([apiKeyOf("ada:right")], {
    traceKey,
    pause: () => Promise.resolve(),
  });
  const spansWith = (key: string) => authenticate({ ...sent(key), withSpans: true });
  expect(await spansWith(traceKey)).toMatchObject({ sendsSpans: true, tenant: "" });
  expect(await spansWith("right")).toEqual({ tenant: "ada", identity: "ada", role: "operator" });
  await expect(authenticate(sent(traceKey))).rejects.toMatchObject({ code: "unauthorized" });
});
