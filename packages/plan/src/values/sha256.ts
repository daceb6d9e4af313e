import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * SHA-256 of a text in UTF-8, in lower-case hexadecimal.
 *
 * Uses a library that runs everywhere: code that decides a plan's next step depends on no runtime's modules.
 */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
