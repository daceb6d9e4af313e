/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, in lower-case hexadecimal.
 *
 * Written out, because what decides a plan's next step uses no module of any runtime.
 */
export function sha256(text: string): string {
  const words = paddedWords(new TextEncoder().encode(text));
  const hash = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < words.length; offset += 16) {
    schedule.set(words.subarray(offset, offset + 16));
    extend(schedule);
    compress(hash, schedule);
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
/** The same of the cube roots of the first 64. */
const ROUND = Uint32Array.from(PRIMES.map((prime) => fraction(Math.cbrt(prime))));

/** The message, a one bit, zeros, and its length in bits, in blocks of 16 big-endian words. */
function paddedWords(bytes: Uint8Array): Uint32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: blocks * 16 }, (_, index) => view.getUint32(index * 4));
}

function extend(schedule: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const early = at(schedule, index - 15);
    const late = at(schedule, index - 2);
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = at(schedule, index - 16) + small + at(schedule, index - 7) + large;
  }
}

function compress(hash: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let index = 0; index < 64; index++) {
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum + choice + at(ROUND, index) + at(schedule, index)) | 0;
    const other = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + other + majority) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index] = at(hash, index) + word;
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
