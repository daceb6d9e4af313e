/** Simulated durations of model calls and searches. Pure; times are milliseconds. */

type ModelSpeed = {
  readonly firstTokenMs: number;
  /** Added to the first token for every thousand input tokens. */
  readonly perThousandInputMs: number;
  readonly tokensPerSecond: number;
};

export const MODEL_SPEEDS = {
  "gpt-3.5": { firstTokenMs: 350, perThousandInputMs: 450, tokensPerSecond: 70 },
  "gpt-4": { firstTokenMs: 750, perThousandInputMs: 120, tokensPerSecond: 25 },
} as const satisfies Readonly<Record<string, ModelSpeed>>;
export type ModelName = keyof typeof MODEL_SPEEDS;

const SEARCH_MEAN_MS = 610;
const SEARCH_SIGMA = 0.42;

const CHARS_PER_TOKEN = 4;

/** The tokens of a reply: four characters each, by OpenAI's rule of thumb. */
export function tokensOf(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHARS_PER_TOKEN}}`, "gu")) ?? [];
}

/** The number of tokens of a text. */
export function tokenCount(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** @throws {RangeError} For a model that the simulation does not know. */
export function modelNamed(name: string): ModelName {
  if (name === "gpt-3.5" || name === "gpt-4") return name;
  throw new RangeError(`wanted gpt-3.5 or gpt-4, got ${name}`);
}

/** When each token of a reply arrives after the request; `count` is the number of output tokens. */
export function tokenTimesMs(
  model: ModelName,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): (token: number) => number {
  const { firstTokenMs, perThousandInputMs, tokensPerSecond } = MODEL_SPEEDS[model];
  const first = firstTokenMs + (inputTokens / 1_000) * perThousandInputMs;
  return (token) => first + (Math.min(token, outputTokens) * 1_000) / tokensPerSecond;
}

/** The duration of a search for `entity`: log-normal over all entities, always the same for one. */
export function searchMs(entity: string): number {
  const mu = Math.log(SEARCH_MEAN_MS) - SEARCH_SIGMA ** 2 / 2;
  return Math.exp(mu + SEARCH_SIGMA * normal(entity));
}

/** A standard normal value that depends only on the text (Box–Muller). */
function normal(seed: string): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(`${seed}/radius`)));
  return radius * Math.cos(2 * Math.PI * uniform(`${seed}/angle`));
}

/** In (0, 1): FNV-1a, mixed so that similar texts are far apart. */
function uniform(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return ((hash >>> 0) + 0.5) / 2 ** 32;
}
