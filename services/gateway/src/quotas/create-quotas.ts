/** Quotas of tenants and keys: checked when a plan is submitted, and before a model drafts a preview. */
import {
  QUOTA_NAMES,
  type QuotaName,
  type QuotaState,
  quotaStates,
  quotaText,
  reachedQuota,
  type TenantQuotas,
} from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import type { Metric } from "../metrics/render-metrics.ts";
import { keyOwner, type Owner, tenantOwner } from "./owner.ts";

/** Capacity returns as plans end. */
const RETRY_OPEN_PLANS_S = 5;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export type QuotasFor = (tenant: string) => TenantQuotas;

type OwnedQuota = QuotaState & { readonly of: "tenant" | "key" };

export type TenantAndKeyQuotas = {
  /** The quotas of a caller, with their current use. */
  statesOf(owner: Owner): OwnedQuota[];
  /**
   * Reserves room for one more plan until the result is disposed; it counts as submitted once `count` is called.
   *
   * @throws {Problem} `quota_reached`
   */
  enter(owner: Owner): Disposable & { count(): void };
  /**
   * Call this before using a model for anything other than a plan.
   *
   * @throws {Problem} `quota_reached` when the budget is exhausted.
   */
  refuseSpent(owner: Owner): void;
  metrics(): Metric[];
};

/** This gateway's count of submissions in the current minute, and of plans about to be stored, for one tenant or key. */
type Entered = { minute: number; submissions: number; entering: number };

export function createQuotas({
  quotasFor,
  book,
  now,
}: {
  readonly quotasFor: QuotasFor;
  readonly book: Pick<PlanBook, "openPlansOf" | "spentBy">;
  readonly now: () => Date;
}): TenantAndKeyQuotas {
  const entered = new Map<string, Entered>();
  const refusals = new Map<QuotaName, number>(QUOTA_NAMES.map((name) => [name, 0]));

  const enteredOf = (name: string): Entered => {
    const minute = Math.floor(now().getTime() / MINUTE_MS);
    const known = entered.get(name) ?? { minute, submissions: 0, entering: 0 };
    if (known.minute !== minute) Object.assign(known, { minute, submissions: 0 });
    entered.set(name, known);
    return known;
  };
  const statesOf = (owner: Owner): OwnedQuota[] =>
    limitsOf(owner, quotasFor(owner.tenant)).flatMap(({ of, name, quotas }) => {
      const { submissions, entering } = enteredOf(name);
      const openPlans = book.openPlansOf(name) + entering;
      const use = { openPlans, submissions: submissions + entering, ...book.spentBy(name, now()) };
      return quotaStates(quotas, use, now()).map((state) => ({ ...state, of }));
    });
  const refuse = (owner: Owner, states: readonly OwnedQuota[]): void => {
    const reached = reachedQuota(states);
    if (reached === undefined) return;
    refusals.set(reached.name, (refusals.get(reached.name) ?? 0) + 1);
    throw refusal(owner, reached, now());
  };

  return {
    statesOf,
    enter(owner) {
      refuse(owner, statesOf(owner));
      const places = limitsOf(owner, quotasFor(owner.tenant)).map(({ name }) => enteredOf(name));
      for (const place of places) place.entering += 1;
      return {
        count() {
          for (const place of places) place.submissions += 1;
        },
        [Symbol.dispose]() {
          for (const place of places) place.entering -= 1;
        },
      };
    },
    refuseSpent(owner) {
      const isSpent = ({ name }: QuotaState): boolean => name.startsWith("tokens") || name.startsWith("usd");
      refuse(owner, statesOf(owner).filter(isSpent));
    },
    metrics: () => [
      {
        name: "planwright_quota_refusals_total",
        help: "Submissions and previews refused because of a quota, since this gateway started.",
        type: "counter",
        values: Array.from(refusals, ([name, count]) => [`quota="${name}"`, count]),
      },
    ],
  };
}

/** Only those that limit something: nothing is counted for others. */
function limitsOf({ tenant, identity }: Owner, quotas: TenantQuotas) {
  const all = [
    { of: "tenant" as const, name: tenantOwner(tenant), quotas: quotas.tenant },
    ...(identity === undefined ? [] : [{ of: "key" as const, name: keyOwner(identity), quotas: quotas.key }]),
  ];
  return all.filter((one) => Object.keys(one.quotas).length > 0);
}

function refusal({ tenant, identity }: Owner, reached: OwnedQuota, now: Date): Problem {
  const { of, resetsAt } = reached;
  const whose = of === "key" ? `the key ${identity}` : `the tenant ${tenant}`;
  const then = resetsAt === undefined ? "when a plan has ended" : `after ${resetsAt.toISOString()}`;
  const retryAfterS =
    resetsAt === undefined ? RETRY_OPEN_PLANS_S : Math.ceil((resetsAt.getTime() - now.getTime()) / SECOND_MS);
  return new Problem(
    "quota_reached",
    `the quota of ${whose} is reached: ${quotaText(reached)}; nothing was stored, send it again ${then}`,
    { retryAfterS },
  );
}
