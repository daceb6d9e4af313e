/** How much a tenant, or one of its keys, may use of an installation: looked at when a plan is submitted. */
import { z } from "zod";

const COUNT_MAX = 1_000_000_000;
const USD_MAX = 1_000_000_000;

const count = (what: string) => z.int().min(0).max(COUNT_MAX).optional().meta({ description: what });
const dollars = (what: string) => z.number().min(0).max(USD_MAX).optional().meta({ description: what });

/** Strict, because people write it; what is absent has no limit. Days and months are those of UTC. */
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

/** What models have used. */
export type Spent = { readonly tokens: number; readonly usd: number };

/** What somebody uses of what quotas limit. */
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
  /** When the use counts from nothing again; absent where plans have to end first. */
  readonly resetsAt?: Date;
};

/** The quotas that are set, with their use at a time, in the order of {@link QUOTA_NAMES}. */
export function quotaStates(quotas: Quotas, use: QuotaUse, now: Date): QuotaState[] {
  return QUOTA_NAMES.flatMap((name): QuotaState[] => {
    const limit = quotas[name];
    if (limit === undefined) return [];
    const resetsAt = resetOf(name, now);
    return [{ name, limit, used: usedOf(name, use), ...(resetsAt === undefined ? {} : { resetsAt }) }];
  });
}

/** The reached quota that lasts longest; one that only ends with plans counts as the shortest. Undefined when there is room. */
export function reachedQuota<State extends QuotaState>(states: readonly State[]): State | undefined {
  const reached = states.filter(({ used, limit }) => used >= limit);
  return reached.toSorted((one, other) => endOf(other) - endOf(one))[0];
}

/** A quota and its use, such as "12,000 of 10,000 tokens a day". */
export function quotaText({ name, limit, used }: QuotaState): string {
  const isMoney = name.startsWith("usd");
  const [is, most] = [used, limit].map((value) =>
    value.toLocaleString(
      "en",
      isMoney ? { style: "currency", currency: "USD" } : { maximumFractionDigits: 0 },
    ),
  );
  return `${is} of ${most} ${WORDS[name]}`;
}

const WORDS: Readonly<Record<QuotaName, string>> = {
  openPlans: "open plans",
  submissionsPerMinute: "submissions a minute",
  tokensPerDay: "tokens a day",
  tokensPerMonth: "tokens a month",
  usdPerDay: "a day",
  usdPerMonth: "a month",
};

function usedOf(name: QuotaName, { openPlans, submissions, day, month }: QuotaUse): number {
  switch (name) {
    case "openPlans":
      return openPlans;
    case "submissionsPerMinute":
      return submissions;
    case "tokensPerDay":
      return day.tokens;
    case "tokensPerMonth":
      return month.tokens;
    case "usdPerDay":
      return day.usd;
    case "usdPerMonth":
      return month.usd;
    default:
      return name satisfies never;
  }
}

const MINUTE_MS = 60_000;

function resetOf(name: QuotaName, now: Date): Date | undefined {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (name === "openPlans") return undefined;
  if (name === "submissionsPerMinute")
    return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
  return new Date(name.endsWith("Day") ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}

function endOf({ resetsAt }: QuotaState): number {
  return resetsAt?.getTime() ?? 0;
}
