import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * SHA-256 of a text in UTF-8, in lower-case hexadecimal.
 *
 * By a library that runs everywhere: what decides a plan's next step uses no module of any runtime.
 */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
