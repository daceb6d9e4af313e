// When the provider is queried, and what happens while it is down, with a fake clock and provider. OIDC-2, OIDC-3.
import { createLogger } from "@planwright/shared/service";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, it } from "vitest";
import { createIdentityProvider } from "./identity-provider.ts";

const ISSUER = "https://id.example";
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const audience = "api";

async function signer(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: "ES256" };
  const claims = { iss: ISSUER, aud: audience, exp: Math.floor(Date.now() / SECOND_MS) + 600 };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
  return { jwk, token };
}

async function setUp() {
  const [known, unknown] = [await signer("known"), await signer("unknown")];
  const state = { nowMs: 0, isDown: false, issuer: ISSUER, keys: [known.jwk], readings: 0 };
  const lines: string[] = [];
  const provider = createIdentityProvider({
    issuer: ISSUER,
    clockToleranceMs: 0,
    now: () => new Date(),
    monotonicMs: () => state.nowMs,
    log: createLogger({ name: "test" }, { write: (line) => void lines.push(line) }),
    fetch: (url) => {
      if (url.endsWith("/jwks")) return Promise.resolve(Response.json({ keys: state.keys }));
      state.readings += 1;
      if (state.isDown) return Promise.reject(new TypeError("fetch failed"));
      return Promise.resolve(Response.json({ issuer: state.issuer, jwks_uri: `${ISSUER}/jwks` }));
    },
  });
  const codeOf = (token: string) =>
    provider.verify(token, { audience }).then(
      () => "accepted",
      (error: { code?: string }) => error.code,
    );
  const pass = (ms: number) => void (state.nowMs += ms);
  return { state, lines, known, unknown, codeOf, pass };
}

it("reads the provider once for any number of tokens, even simultaneous ones", async () => {
  const { state, known, codeOf } = await setUp();
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(known.token)));
  expect([new Set(codes), state.readings]).toEqual([new Set(["accepted"]), 1]);
});

it("reads it again for unknown keys, at most once in five seconds", async () => {
  const { state, known, unknown, codeOf, pass } = await setUp();
  expect(await codeOf(known.token)).toBe("accepted");
  expect([await codeOf(unknown.token), state.readings]).toEqual(["unauthorized", 1]);
  pass(5 * SECOND_MS);
  await Promise.all(Array.from({ length: 20 }, () => codeOf(unknown.token)));
  expect(state.readings).toBe(2);
  pass(5 * SECOND_MS);
  state.keys = [unknown.jwk];
  expect([await codeOf(unknown.token), state.readings]).toEqual(["accepted", 3]);
  expect(await codeOf(known.token)).toBe("unauthorized");
});

it("refreshes keys in the background, and uses them for a day while the provider is down", async () => {
  const { state, lines, known, codeOf, pass } = await setUp();
  expect(await codeOf(known.token)).toBe("accepted");
  state.isDown = true;
  for (let hours = 0; hours < 23; hours++) {
    pass(HOUR_MS);
    expect(await codeOf(known.token)).toBe("accepted");
  }
  pass(2 * HOUR_MS);
  expect(await codeOf(known.token)).toBe("unavailable");
  expect(lines.filter((line) => line.includes("does not answer"))).toHaveLength(1);
  state.isDown = false;
  pass(5 * SECOND_MS);
  expect(await codeOf(known.token)).toBe("accepted");
  expect(lines.filter((line) => line.includes("available again"))).toHaveLength(1);
});

it("sends a provider that is down at most one request in five seconds", async () => {
  const { state, known, codeOf, pass } = await setUp();
  state.isDown = true;
  for (let asked = 0; asked < 10; asked++) expect(await codeOf(known.token)).toBe("unavailable");
  expect(state.readings).toBe(1);
  pass(5 * SECOND_MS);
  expect([await codeOf(known.token), state.readings]).toEqual(["unavailable", 2]);
});

it("does not use a provider that names another issuer, and names that issuer", async () => {
  const { state, lines, known, codeOf } = await setUp();
  state.issuer = "https://other.example";
  expect(await codeOf(known.token)).toBe("unavailable");
  expect(lines.join()).toContain("https://other.example");
});
