/** Authenticated encryption for values that the gateway stores in browsers. */
import { EncryptJWT, jwtDecrypt } from "jose";
import { hkdfSync } from "node:crypto";
import type { z } from "zod";

const KEY_BYTES = 32;

type Sealing = {
  readonly seal: (value: object, expiresAt: Date) => Promise<string>;
  /** Returns undefined if the value was sealed with another secret or for another purpose, was changed, or has expired. */
  readonly open: (
    sealed: string,
  ) => Promise<{ readonly value: unknown; readonly expiresAt: Date } | undefined>;
};

/**
 * @param secrets - The first one encrypts; all of them decrypt.
 * @param options.purpose - Separates keys: a value sealed for one purpose does not open for another.
 */
export function createSealing(
  secrets: readonly [string, ...string[]],
  { purpose, now }: { readonly purpose: string; readonly now: () => Date },
): Sealing {
  const [current, ...earlier] = secrets;
  const key = keyOf(current, purpose);
  const keys = [key, ...earlier.map((secret) => keyOf(secret, purpose))];
  return {
    seal: (value, expiresAt) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(expiresAt)
        .encrypt(key),
    async open(sealed) {
      for (const one of keys) {
        try {
          const { payload } = await jwtDecrypt(sealed, one, {
            keyManagementAlgorithms: ["dir"],
            contentEncryptionAlgorithms: ["A256GCM"],
            requiredClaims: ["exp"],
            currentDate: now(),
          });
          return { value: payload["value"], expiresAt: new Date((payload.exp ?? 0) * 1_000) };
        } catch {
          // Try the next secret.
        }
      }
      return undefined;
    },
  };
}

/** Opens a value and checks it: another version of the gateway may have sealed a different shape. */
export async function openAs<Schema extends z.ZodType>(
  sealing: Sealing,
  Schema: Schema,
  sealed: string | undefined,
): Promise<{ readonly value: z.output<Schema>; readonly expiresAt: Date } | undefined> {
  if (sealed === undefined || sealed === "") return undefined;
  const opened = await sealing.open(sealed);
  const parsed = Schema.safeParse(opened?.value);
  if (opened === undefined || !parsed.success) return undefined;
  return { value: parsed.data, expiresAt: opened.expiresAt };
}

function keyOf(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "planwright", purpose, KEY_BYTES));
}
