/**
 * Fair sharing of slots: which of the waiting items begins next, so that one tenant, or one plan, that has thousands
 * does not keep another's from beginning.
 *
 * Invariants:
 *   QUEUE-1. Of the tenants that wait, the one with the fewest items in flight is served first; of its plans, the one with
 *       the fewest for its weight. Among equals, the one that has waited longest. (Max-min fairness by the greedy rule
 *       of Dominant Resource Fairness, Ghodsi et al. 2011, for one resource.)
 *   QUEUE-2. One start of {@link OLDEST_EVERY} is given to the plan of the tenant that has waited longest for its turn, so that
 *       no weight keeps a plan waiting for ever.
 *   QUEUE-3. The last slots are kept: the first of them for plans, the very last for tenants that have nothing in flight.
 *   QUEUE-4. Of a plan's items, the one with the highest rank begins first; of equals, the one that has waited longest. Each of
 *       its other items begins before that one at most once, so no item waits for ever in a plan of limited size.
 *
 * Every operation takes constant time, but for the search for the lowest load, which takes that of the different loads there
 * are, and for the order within a plan (see `RankOrder`).
 */
import { RankOrder } from "./rank-order.ts";

const OLDEST_EVERY = 16;

/** The owner of an item, and the plan's weight in its tenant's share. */
export type Owner = { readonly tenant: string; readonly plan: string; readonly weight: number };

/**
 * The total number of items that can be in flight before one starts: of any owner, of a new plan, of a tenant without any in
 * flight.
 */
export type Room = { readonly any: number; readonly newPlan: number; readonly newTenant: number };

/** The load of one tenant. */
export type Load = { readonly inFlight: number; readonly held: number };

type Tenant<Item> = {
  readonly name: string;
  readonly plans: Map<string, Plan<Item>>;
  /** Plans that hold something. */
  readonly waiting: LoadOrder<Plan<Item>>;
  /** The same plans, the one that was served longest ago first. */
  readonly byTurn: Set<Plan<Item>>;
  inFlight: number;
  starts: number;
};

type Plan<Item> = {
  readonly name: string;
  readonly tenant: Tenant<Item>;
  weight: number;
  readonly held: RankOrder<Item>;
  inFlight: number;
};

export class FairQueue<Item> {
  readonly #rankOf: ((item: Item) => number) | undefined;
  readonly #tenants = new Map<string, Tenant<Item>>();
  readonly #waiting = createLoadOrder<Tenant<Item>>();
  /** Tenants that hold something and have nothing in flight. */
  readonly #newTenants = new Set<Tenant<Item>>();
  readonly #newPlans = new Set<Plan<Item>>();
  readonly #held = new Map<string, Plan<Item>>();
  readonly #inFlight = new Map<string, Plan<Item>>();

  /** @param rankOf - The rank of an item within its plan, called when the order matters. Absent: all items have the same rank. */
  constructor(rankOf?: (item: Item) => number) {
    this.#rankOf = rankOf;
  }

  get held(): number {
    return this.#held.size;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Adds an item to its plan. Does nothing if the key is already known. */
  hold(owner: Owner, key: string, item: Item): void {
    if (this.#held.has(key) || this.#inFlight.has(key)) return;
    const plan = this.#planOf(owner);
    plan.held.add(key, item);
    this.#held.set(key, plan);
    this.#settle(plan);
  }

  /** Counts an item as in flight that has started without `next`, whether or not it was held. */
  begin(owner: Owner, key: string): void {
    if (!this.#inFlight.has(key)) this.#start(this.#held.get(key) ?? this.#planOf(owner), key);
  }

  /** Takes the item that starts next. Undefined if none may. */
  next(room: Room): { readonly key: string; readonly item: Item } | undefined {
    if (this.#held.size === 0) return undefined;
    const plan = this.#nextPlan(room);
    const first = plan?.held.first();
    if (plan === undefined || first === undefined) return undefined;
    const { key, item } = first;
    this.#start(plan, key);
    return { key, item };
  }

  /** Forgets an item, held or in flight. */
  end(key: string): void {
    const plan = this.#held.get(key) ?? this.#inFlight.get(key);
    if (plan === undefined) return;
    this.#held.delete(key);
    if (!plan.held.delete(key)) {
      this.#inFlight.delete(key);
      plan.inFlight -= 1;
      plan.tenant.inFlight -= 1;
    }
    this.#settle(plan);
  }

  /** Ranks a plan's held items again, because their ranks have changed. */
  rankAgain({ tenant, plan }: Pick<Owner, "tenant" | "plan">): void {
    this.#tenants.get(tenant)?.plans.get(plan)?.held.rankAgain();
  }

  isInFlight(key: string): boolean {
    return this.#inFlight.has(key);
  }

  /** The key of the item that has been held longest. */
  oldest(): string | undefined {
    return firstOf(this.#held.keys());
  }

  /** The loads by tenant; tenants without any are absent. */
  loads(): Map<string, Load> {
    return new Map([...this.#tenants.values()].map((tenant) => [tenant.name, loadOf(tenant)]));
  }

  #planOf({ tenant: tenantName, plan: name, weight }: Owner): Plan<Item> {
    const tenant = entryOf(this.#tenants, tenantName, newTenant<Item>);
    const plan = entryOf(tenant.plans, name, () => this.#newPlan(name, tenant));
    plan.weight = weight;
    return plan;
  }

  #newPlan(name: string, tenant: Tenant<Item>): Plan<Item> {
    return { name, tenant, weight: 1, held: new RankOrder(this.#rankOf), inFlight: 0 };
  }

  #nextPlan({ any, newPlan: forPlans, newTenant: forTenants }: Room): Plan<Item> | undefined {
    const total = this.#inFlight.size;
    if (total < any) {
      const tenant = this.#waiting.first();
      if (tenant === undefined) return undefined;
      tenant.starts += 1;
      return tenant.starts % OLDEST_EVERY === 0 ? firstOf(tenant.byTurn) : tenant.waiting.first();
    }
    const plan = total < forPlans ? firstOf(this.#newPlans) : undefined;
    return plan ?? (total < forTenants ? firstOf(this.#newTenants)?.waiting.first() : undefined);
  }

  #start(plan: Plan<Item>, key: string): void {
    plan.held.delete(key);
    this.#held.delete(key);
    this.#inFlight.set(key, plan);
    plan.inFlight += 1;
    plan.tenant.inFlight += 1;
    // It is served: now others come first.
    plan.tenant.byTurn.delete(plan);
    this.#settle(plan);
  }

  /** Repositions a plan and its tenant after a change. */
  #settle(plan: Plan<Item>): void {
    const { tenant } = plan;
    if (plan.held.size > 0) {
      tenant.waiting.put(plan, (plan.inFlight + 1) / plan.weight);
      tenant.byTurn.add(plan);
    } else {
      tenant.waiting.remove(plan);
      tenant.byTurn.delete(plan);
    }
    keep(this.#newPlans, plan, plan.held.size > 0 && plan.inFlight === 0);
    if (tenant.waiting.size > 0) this.#waiting.put(tenant, tenant.inFlight);
    else this.#waiting.remove(tenant);
    keep(this.#newTenants, tenant, tenant.waiting.size > 0 && tenant.inFlight === 0);
    if (plan.held.size + plan.inFlight === 0) tenant.plans.delete(plan.name);
    if (tenant.plans.size === 0) this.#tenants.delete(tenant.name);
  }
}

function loadOf<Item>({ inFlight, plans }: Tenant<Item>): Load {
  let held = 0;
  for (const plan of plans.values()) held += plan.held.size;
  return { inFlight, held };
}

function newTenant<Item>(name: string): Tenant<Item> {
  const waiting = createLoadOrder<Plan<Item>>();
  return { name, plans: new Map(), waiting, byTurn: new Set(), inFlight: 0, starts: 0 };
}

function entryOf<Entry>(entries: Map<string, Entry>, name: string, make: (name: string) => Entry): Entry {
  const known = entries.get(name);
  if (known !== undefined) return known;
  const made = make(name);
  entries.set(name, made);
  return made;
}

/** Adds or removes a member; an existing one keeps its position. */
function keep<Member>(set: Set<Member>, member: Member, isIn: boolean): void {
  if (isIn) set.add(member);
  else set.delete(member);
}

function firstOf<Member>(members: Iterable<Member>): Member | undefined {
  const [first] = members;
  return first;
}

/** Members by their load, the lowest first; among equals, the one that has had its load longest. */
type LoadOrder<Member> = {
  /** Adds a member, or changes its load. */
  put(member: Member, load: number): void;
  remove(member: Member): void;
  first(): Member | undefined;
  readonly size: number;
};

/** Loads are few, members many: a set of members for each load. */
function createLoadOrder<Member>(): LoadOrder<Member> {
  const loads = new Map<Member, number>();
  const members = new Map<number, Set<Member>>();

  const remove = (member: Member): void => {
    const load = loads.get(member);
    if (load === undefined) return;
    loads.delete(member);
    const equals = members.get(load);
    equals?.delete(member);
    if (equals?.size === 0) members.delete(load);
  };
  return {
    put(member, load) {
      if (loads.get(member) === load) return;
      remove(member);
      loads.set(member, load);
      const equals = members.get(load);
      if (equals === undefined) members.set(load, new Set([member]));
      else equals.add(member);
    },
    remove,
    first() {
      let lowest: number | undefined;
      for (const load of members.keys()) if (lowest === undefined || load < lowest) lowest = load;
      if (lowest === undefined) return undefined;
      const [first] = members.get(lowest) ?? [];
      return first;
    },
    get size() {
      return loads.size;
    },
  };
}
