/** How much of an installation a tenant, or one of its keys, may use: checked when a plan is submitted. */
import { z } from "zod";

const COUNT_MAX = 1_000_000_000;
const USD_MAX = 1_000_000_000;

const count = (what: string) => z.int().min(0).max(COUNT_MAX).optional().meta({ description: what });
const dollars = (what: string) => z.number().min(0).max(USD_MAX).optional().meta({ description: what });

/** Strict, because people write it; absent quotas are unlimited. Days and months are in UTC. */
export const Quotas = z.strictObject({
  openPlans: count("Plans that have not ended, without sub-plans."),
  submissionsPerMinute: count("Plans that are accepted in a minute of the clock."),
  tokensPerDay: count("Tokens of models, in and out, that plans use in a day."),
  tokensPerMonth: count("Tokens of models, in and out, that plans use in a month."),
  usdPerDay: dollars("Dollars that models cost in a day."),
  usdPerMonth: dollars("Dollars that models cost in a month."),
});
export type Quotas = z.infer<typeof Quotas>;
export type QuotaName = keyof Quotas;

export const QUOTA_NAMES = Quotas.keyof().options;

/** Model usage. */
export type Spent = { readonly tokens: number; readonly usd: number };

/** The usage of an owner that quotas limit. */
export type QuotaUse = {
  readonly openPlans: number;
  /** Accepted in the current minute. */
  readonly submissions: number;
  readonly day: Spent;
  readonly month: Spent;
};

/** One quota, and how much of it is used. */
export type QuotaState = {
  readonly name: QuotaName;
  readonly limit: number;
  readonly used: number;
  /** When the usage is reset to zero; absent if it only decreases when plans finish. */
  readonly resetsAt?: Date;
};

type Rule = {
  /** The unit that follows a number in a sentence. */
  readonly words: string;
  readonly used: (use: QuotaUse) => number;
  /** The period after which the usage is reset to zero. */
  readonly period?: "minute" | "day" | "month";
};

const RULES: Readonly<Record<QuotaName, Rule>> = {
  openPlans: { words: "open plans", used: ({ openPlans }) => openPlans },
  submissionsPerMinute: {
    words: "submissions a minute",
    used: ({ submissions }) => submissions,
    period: "minute",
  },
  tokensPerDay: { words: "tokens a day", used: ({ day }) => day.tokens, period: "day" },
  tokensPerMonth: { words: "tokens a month", used: ({ month }) => month.tokens, period: "month" },
  usdPerDay: { words: "a day", used: ({ day }) => day.usd, period: "day" },
  usdPerMonth: { words: "a month", used: ({ month }) => month.usd, period: "month" },
};

/** The configured quotas, with their usage at a time, in the order of {@link QUOTA_NAMES}. */
export function quotaStates(quotas: Quotas, use: QuotaUse, now: Date): QuotaState[] {
  return QUOTA_NAMES.flatMap((name): QuotaState[] => {
    const limit = quotas[name];
    if (limit === undefined) return [];
    const { used, period } = RULES[name];
    const resets = period === undefined ? {} : { resetsAt: endOf(period, now) };
    return [{ name, limit, used: used(use), ...resets }];
  });
}

/**
 * The reached quota that takes longest to free up; one that only depends on plans finishing counts as the shortest. Undefined if
 * none is reached.
 */
export function reachedQuota<State extends QuotaState>(states: readonly State[]): State | undefined {
  const lasts = ({ resetsAt }: QuotaState): number => resetsAt?.getTime() ?? 0;
  const reached = states.filter(({ used, limit }) => used >= limit);
  return reached.toSorted((one, other) => lasts(other) - lasts(one))[0];
}

/** A quota and its use, such as "12,000 of 10,000 tokens a day". */
export function quotaText({ name, limit, used }: QuotaState): string {
  const format: Intl.NumberFormatOptions = name.startsWith("usd")
    ? { style: "currency", currency: "USD" }
    : { maximumFractionDigits: 0 };
  const amount = (value: number): string => value.toLocaleString("en", format);
  return `${amount(used)} of ${amount(limit)} ${RULES[name].words}`;
}

const MINUTE_MS = 60_000;

function endOf(period: "minute" | "day" | "month", now: Date): Date {
  if (period === "minute") return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}
