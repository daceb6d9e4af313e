import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type Owner, type Room } from "./fair-queue.ts";

const room = (any: number, newPlan = any, newTenant = newPlan): Room => ({ any, newPlan, newTenant });
const owner = (plan: string, tenant = "acme", weight = 1): Owner => ({ tenant, plan, weight });

/** Holds `count` items of a plan, named after it. */
function hold(queue: FairQueue<string>, of: Owner, count: number): void {
  for (let index = 1; index <= count; index += 1) queue.hold(of, `${of.plan}${index}`, of.plan);
}

/** Returns everything that can start now, in order. */
function begin<Item>(queue: FairQueue<Item>, given: Room): string[] {
  const begun: string[] = [];
  for (let next = queue.next(given); next !== undefined; next = queue.next(given)) begun.push(next.key);
  return begun;
}

/** Returns the items that get a slot, one after the other, each freed before the next. */
function turns(queue: FairQueue<string>, count: number): string[] {
  return Array.from({ length: count }, () => {
    const next = queue.next(room(1));
    if (next === undefined) return "";
    queue.end(next.key);
    return next.item;
  });
}

describe("among tenants", () => {
  it("divides the slots equally, however many items one tenant has (QUEUE-1)", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("a", "acme"), 1_000);
    hold(queue, owner("b", "bell"), 3);
    expect(begin(queue, room(6)).toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2", "b3"]);
  });

  it("gives a tenant with many plans no more slots than one with a single plan", () => {
    const queue = new FairQueue<string>();
    for (let plan = 0; plan < 50; plan += 1) hold(queue, owner(`a${plan}.`, "acme"), 10);
    hold(queue, owner("b", "bell"), 100);
    const begun = begin(queue, room(20));
    expect(begun.filter((key) => key.startsWith("b"))).toHaveLength(10);
  });

  it("lets a later tenant catch up as slots are freed", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("a", "acme"), 100);
    begin(queue, room(4));
    hold(queue, owner("b", "bell"), 100);
    queue.end("a1");
    queue.end("a2");
    expect(begin(queue, room(4))).toEqual(["b1", "b2"]);
  });

  it("alternates if there is only one slot (QUEUE-1)", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("a", "acme"), 10);
    hold(queue, owner("b", "bell"), 10);
    expect(turns(queue, 6)).toEqual(["a", "b", "a", "b", "a", "b"]);
  });
});

describe("among the plans of a tenant", () => {
  it("divides the slots by their weights (QUEUE-1)", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("low", "acme", 1), 100);
    hold(queue, owner("high", "acme", 4), 100);
    const begun = begin(queue, room(10));
    expect(begun.filter((key) => key.startsWith("high"))).toHaveLength(8);
  });

  it("never starves a plan, whatever the weights (QUEUE-2)", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("high", "acme", 16), 100);
    hold(queue, owner("low", "acme", 1), 100);
    expect(turns(queue, 48).filter((plan) => plan === "low")).toHaveLength(3);
  });

  it("starts the longest-waiting item of a plan first if all have the same rank (QUEUE-4)", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("a"), 3);
    expect(begin(queue, room(3))).toEqual(["a1", "a2", "a3"]);
  });

  it("starts the item with the highest rank first, although others have waited longer (QUEUE-4)", () => {
    const queue = new FairQueue<number>((item) => item);
    for (const [index, rank] of [1, 3, 2, 3].entries()) queue.hold(owner("a"), `a${index}`, rank);
    const first = queue.next(room(1));
    queue.hold(owner("a"), "late", 9);
    expect([first?.key, ...begin(queue, room(5))]).toEqual(["a1", "late", "a3", "a2", "a0"]);
  });

  it("does not compare the ranks of different plans", () => {
    const queue = new FairQueue<number>((item) => item);
    for (const [index, rank] of [7, 8, 9].entries()) queue.hold(owner("a"), `a${index}`, rank);
    for (const [index, rank] of [1, 2, 3].entries()) queue.hold(owner("b"), `b${index}`, rank);
    expect(begin(queue, room(4))).toEqual(["a2", "b2", "a1", "b1"]);
  });

  it("ranks waiting items again on request", () => {
    let best = "a1";
    const queue = new FairQueue<string>((item) => (item === best ? 1 : 0));
    for (const key of ["a0", "a1", "a2", "a3"]) queue.hold(owner("a"), key, key);
    expect(queue.next(room(1))?.key).toBe("a1");
    best = "a3";
    queue.rankAgain(owner("a"));
    expect(begin(queue, room(4))).toEqual(["a3", "a0", "a2"]);
  });
});

describe("the last slots", () => {
  it("are reserved for plans, and the very last for tenants, that have nothing in flight (QUEUE-3)", () => {
    const queue = new FairQueue<string>();
    const given = room(2, 3, 4);
    hold(queue, owner("a", "acme"), 10);
    expect(begin(queue, given)).toEqual(["a1", "a2"]);
    hold(queue, owner("b", "acme"), 10);
    expect(begin(queue, given)).toEqual(["b1"]);
    hold(queue, owner("c", "acme"), 10);
    expect(begin(queue, given)).toEqual([]);
    hold(queue, owner("d", "bell"), 10);
    expect(begin(queue, given)).toEqual(["d1"]);
    hold(queue, owner("e", "coil"), 10);
    expect(begin(queue, given)).toEqual([]);
  });
});

describe("a known item", () => {
  it("is not held twice, and counts as in flight once it has started", () => {
    const queue = new FairQueue<string>();
    queue.hold(owner("a"), "a1", "first");
    queue.hold(owner("a"), "a1", "second");
    expect(queue.held).toBe(1);
    queue.begin(owner("a"), "a1");
    queue.begin(owner("a"), "a1");
    queue.hold(owner("a"), "a1", "third");
    expect([queue.held, queue.inFlight, queue.isInFlight("a1")]).toEqual([0, 1, true]);
  });

  it("leaves nothing behind when it ends", () => {
    const queue = new FairQueue<string>();
    hold(queue, owner("a"), 2);
    begin(queue, room(1));
    expect([...queue.loads()]).toEqual([["acme", { inFlight: 1, held: 1 }]]);
    expect(queue.oldest()).toBe("a2");
    for (const key of ["a1", "a2", "a2"]) queue.end(key);
    expect([queue.held, queue.inFlight, queue.oldest(), queue.loads().size]).toEqual([0, 0, undefined, 0]);
  });
});

it("starts each item once, never more than there is room for, and all of them in the end", () => {
  const item = fc.record({
    tenant: fc.constantFrom("acme", "bell", "coil"),
    plan: fc.constantFrom("p", "q", "r"),
    weight: fc.constantFrom(1, 4, 16),
    act: fc.constantFrom("hold", "hold", "hold", "next", "end", "begin"),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 200 }), fc.integer({ min: 1, max: 6 }), (acts, any) => {
      const queue = new FairQueue<number>();
      const given = room(any, any + 1, any + 2);
      const begun = new Set<string>();
      const open: string[] = [];
      const next = (): boolean => {
        const found = queue.next(given);
        if (found === undefined) return false;
        expect(queue.inFlight).toBeLessThanOrEqual(given.newTenant);
        expect(begun.has(found.key)).toBe(false);
        begun.add(found.key);
        open.push(found.key);
        return true;
      };
      acts.forEach(({ tenant, plan, weight, act }, index) => {
        const of = { tenant, plan: `${tenant}/${plan}`, weight };
        if (act === "hold") queue.hold(of, `i${index}`, index);
        else if (act === "next") next();
        else if (act === "end") queue.end(open.shift() ?? "");
        else {
          queue.begin(of, `i${index}`);
          queue.end(`i${index}`);
        }
      });
      while (next() || open.length > 0) queue.end(open.shift() ?? "");
      expect(begun.size).toBe(acts.filter(({ act }) => act === "hold").length);
      expect([queue.held, queue.inFlight, queue.loads().size]).toEqual([0, 0, 0]);
    }),
  );
});

it("starts the highest-ranked item of a plan, of equals the oldest, in any order of events (QUEUE-4)", () => {
  type Held = { readonly plan: string; readonly key: string; readonly rank: number };
  const act = fc.record({
    plan: fc.constantFrom("p", "q"),
    rank: fc.integer({ min: 0, max: 3 }),
    act: fc.constantFrom("hold", "hold", "hold", "next", "drop", "begin", "again"),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
      const queue = new FairQueue<number>((rank) => rank);
      let held: Held[] = [];
      for (const [index, { plan, rank, act: what }] of acts.entries()) {
        const oldest = held.find((one) => one.plan === plan);
        let gone: Held | undefined;
        let best: Held | undefined;
        if (what === "hold") {
          held.push({ plan, key: `i${index}`, rank });
          queue.hold(owner(plan), `i${index}`, rank);
        } else if (what === "next") {
          const next = queue.next(room(1_000));
          gone = held.find(({ key }) => key === next?.key);
          best = held
            .filter((one) => one.plan === gone?.plan)
            .toSorted((left, right) => right.rank - left.rank)[0];
        } else if (what === "again") {
          queue.rankAgain(owner(plan));
        } else if (oldest !== undefined) {
          gone = best = oldest;
          if (what === "drop") queue.end(oldest.key);
          else queue.begin(owner(plan), oldest.key);
        }
        held = held.filter((one) => one !== gone);
        expect([gone, queue.held]).toEqual([best, held.length]);
      }
    }),
  );
});
