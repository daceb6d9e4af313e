/** The key pair of an nkey seed, worked out by `node:crypto`: the library's JavaScript takes a process that starts 30 ms for it. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { nkeys } from "@nats-io/transport-node";

export type NkeyPair = { readonly seed: string; readonly publicKey: string; readonly privateKey: KeyObject };

/** RFC 4648. */
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
/** The first byte of a user's public key: it makes its first letter a U. */
const USER_PREFIX = 20 << 3;
/** Of CRC-16/XMODEM, which ends an nkey, low byte first. */
const CRC_POLYNOMIAL = 0x1021;

/** @throws {Error} When it is no seed of a user. */
export function nkeyPair(seed: string): NkeyPair {
  // The library checks its letters and its checksum.
  nkeys.fromSeed(Buffer.from(seed));
  if (!seed.startsWith("SU")) throw new Error("wanted the seed of a user, which starts with SU");
  // After two bytes of its kind.
  const secret = fromBase32(seed).subarray(2, 34);
  const key = Buffer.concat([PKCS8_PREFIX, secret]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const named = Buffer.concat([Buffer.of(USER_PREFIX), Buffer.from(x, "base64url")]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(named));
  return { seed, publicKey: toBase32(Buffer.concat([named, checksum])), privateKey };
}

function fromBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** @param bytes - A multiple of five of them. */
function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll(/.{5}/g, (letter) => BASE32.charAt(Number.parseInt(letter, 2)));
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1;
  }
  return crc & 0xffff;
}
