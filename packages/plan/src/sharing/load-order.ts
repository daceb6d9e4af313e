/** Members by their load, the lowest first; among equals, the one that has had its load longest. */
export type LoadOrder<Member> = {
  /** Adds a member, or changes its load. */
  put(member: Member, load: number): void;
  remove(member: Member): void;
  first(): Member | undefined;
  readonly size: number;
};

/** Loads are few, members many: a set of members for each load. */
export function createLoadOrder<Member>(): LoadOrder<Member> {
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
