/**
 * FNV-1a, 32 bit, over UTF-16 code units below 256 (ids are ASCII).
 *
 * Fowler, Noll and Vo; offset basis and prime as in draft-eastlake-fnv.
 *
 * @param hash - The hash of the preceding text; default none.
 */
export function fnv1a32(text: string, hash = 0x811c9dc5): number {
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index) & 0xff;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
