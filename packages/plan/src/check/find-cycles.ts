/**
 * Finds cycles in a directed graph whose nodes are numbered from 0: the shortest through the first node of
 * each group of nodes that can all reach each other.
 *
 * No cycle is left out whose members are in no other: mending every cycle found may still uncover more
 * inside the same group, never elsewhere. Linear in nodes and edges, and iterative, so a chain of any length is safe.
 *
 * @param edges - For each node, the nodes it points at.
 * @returns Each cycle as its nodes in order, the first not repeated at the end. A node that points at itself is one.
 */
export function findCycles(edges: readonly (readonly number[])[]): number[][] {
  const groupOf = groupNodes(edges);
  const sizes = new Map<number, number>();
  for (const group of groupOf) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const seen = new Set<number>();
  const cycles: number[][] = [];
  for (const [node, group] of groupOf.entries()) {
    if (seen.has(group)) continue;
    const pointsAtItself = edges[node]?.includes(node) === true;
    if ((sizes.get(group) ?? 0) < 2 && !pointsAtItself) continue;
    seen.add(group);
    cycles.push(shortestCycle(node, edges, (other) => groupOf[other] === group));
  }
  return cycles;
}

/** Tarjan's strongly connected components: for each node, the number of its group. */
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
    low[node] = Math.min(low[node] ?? to, to);
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
        else if (groupOf[child] === -1) lower(node, order[child] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent.node, low[node] ?? 0);
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

/** Breadth first from a node back to itself, inside its group. */
function shortestCycle(
  start: number,
  edges: readonly (readonly number[])[],
  inGroup: (node: number) => boolean,
): number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of edges[node] ?? []) {
      if (next === start) return pathTo(node, start, cameFrom);
      if (cameFrom.has(next) || !inGroup(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [start];
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path = [end];
  for (let node = end; node !== start; ) {
    node = cameFrom.get(node) ?? start;
    path.push(node);
  }
  return path.toReversed();
}
