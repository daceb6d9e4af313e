/** A managed key, as sent and as stored: the store holds only a hash of the secret. */
import { KeyInfo } from "@planwright/api";
import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";

const ID_BYTES = 6;
/** Random and long enough that a plain hash cannot be brute-forced. */
const SECRET_BYTES = 32;
const KEY = /^pw_([0-9a-f]{12})_[\w-]{43}$/;

export const KeyRecord = KeyInfo.extend({
  tenant: z.string(),
  /** SHA-256 of the whole key, in hexadecimal. */
  hash: z.string(),
});
export type KeyRecord = z.output<typeof KeyRecord>;

/** A new key with its id and its hash. */
export function newKey(random: (bytes: number) => Uint8Array): { id: string; key: string; hash: string } {
  const id = Buffer.from(random(ID_BYTES)).toString("hex");
  const key = `pw_${id}_${Buffer.from(random(SECRET_BYTES)).toString("base64url")}`;
  return { id, key, hash: hashOf(key) };
}

/** The id of a managed key; undefined for any other text. */
export function idOfKey(sent: string): string | undefined {
  return KEY.exec(sent)?.[1];
}

export function isKeyOf(sent: string, { hash }: Pick<KeyRecord, "hash">): boolean {
  const [left, right] = [Buffer.from(hashOf(sent)), Buffer.from(hash)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function isExpired({ expiresAt }: Pick<KeyRecord, "expiresAt">, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
}

/** The key as admins see it. */
export function infoOf({ tenant: _tenant, hash: _hash, ...info }: KeyRecord): KeyInfo {
  return info;
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
