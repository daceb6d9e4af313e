import { createPublicKey, sign, verify } from "node:crypto";
import { nkeys } from "@nats-io/transport-node";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nkeyPair } from "./nats-access.ts";

describe("nkeyPair", () => {
  it("derives the same public key and signature as the library", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (message) => {
        const theirs = nkeys.createUser();
        const ours = nkeyPair(Buffer.from(theirs.getSeed()).toString());
        expect(ours.publicKey).toBe(theirs.getPublicKey());
        expect(theirs.verify(message, sign(null, message, ours.privateKey))).toBe(true);
        expect(verify(null, message, createPublicKey(ours.privateKey), theirs.sign(message))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("rejects the seed of an account", () => {
    const seed = Buffer.from(nkeys.createAccount().getSeed()).toString();
    expect(() => nkeyPair(seed)).toThrow("SU");
  });

  it.each(["", "SUPER", "SUAIBDPBAUTWCWBKIO6XHQNINK5FWJW4OHLXC3HQ2KFE4PEJUA44CNHTD4"])(
    "rejects the seed %j",
    (seed) => {
      expect(() => nkeyPair(seed)).toThrow();
    },
  );
});
