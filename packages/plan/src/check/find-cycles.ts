/**
 * Finds cycles in a directed graph whose nodes are numbered from 0: the shortest through the first node of each strongly
 * connected component.
 *
 * Every cycle that shares no node with another is reported. Fixing every reported cycle can uncover more inside the same
 * component, never elsewhere. Linear in nodes and edges, and iterative, so a chain of any length is safe.
 *
 * @param edges - For each node, the nodes it points at.
 * @returns Each cycle as its nodes in order, without repeating the first. A node that points at itself is a cycle.
 */
export function findCycles(edges: readonly (readonly number[])[]): number[][] {
  const groupOf = groupNodes(edges);
  const seen = new Set<number>();
  const cycles: number[][] = [];
  for (const [node, out] of edges.entries()) {
    const group = at(groupOf, node);
    const inGroup = (other: number): boolean => groupOf[other] === group;
    // A group of one is a cycle only if its node points at itself; in a larger one, every node points at another.
    if (seen.has(group) || !out.some(inGroup)) continue;
    seen.add(group);
    cycles.push(shortestCycle(node, edges, inGroup));
  }
  return cycles;
}

/** Tarjan's strongly connected components: returns each node's group number. */
function groupNodes(edges: readonly (readonly number[])[]): number[] {
  const order = edges.map(() => -1);
  const low = edges.map(() => -1);
  const groupOf = edges.map(() => -1);
  const open: number[] = [];
  let entered = 0;
  let groups = 0;

  const enter = (node: number, path: { node: number; next: number }[]): void => {
    order[node] = entered;
    low[node] = entered++;
    open.push(node);
    path.push({ node, next: 0 });
  };
  const lower = (node: number, to: number): void => {
    low[node] = Math.min(at(low, node), to);
  };

  for (const start of edges.keys()) {
    if (order[start] !== -1) continue;
    const path: { node: number; next: number }[] = [];
    enter(start, path);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const child = edges[node]?.[top.next++];
      if (child !== undefined) {
        if (order[child] === -1) enter(child, path);
        else if (groupOf[child] === -1) lower(node, at(order, child));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent.node, at(low, node));
      if (low[node] !== order[node]) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        groupOf[member] = groups;
        if (member === node) break;
      }
      groups++;
    }
  }
  return groupOf;
}

/** Breadth-first search from a node back to itself, inside its group. */
function shortestCycle(
  start: number,
  edges: readonly (readonly number[])[],
  inGroup: (node: number) => boolean,
): number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of edges[node] ?? []) {
      if (cameFrom.has(next) || !inGroup(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
    if (cameFrom.has(start)) break;
  }
  const cycle: number[] = [];
  for (let node = cameFrom.get(start); node !== undefined && node !== start; node = cameFrom.get(node))
    cycle.push(node);
  return [start, ...cycle.toReversed()];
}

/** Returns the node's entry, which always exists. */
function at(values: readonly number[], node: number): number {
  return values[node] ?? -1;
}
