/** Things that happen at a time: the earliest first, of the same time the one that was added first. */
export type TimeQueue<Value> = {
  readonly add: (atMs: number, value: Value) => void;
  readonly take: () => { readonly atMs: number; readonly value: Value } | undefined;
};

type Entry<Value> = { readonly atMs: number; readonly order: number; readonly value: Value };

/** A binary heap. */
export function createTimeQueue<Value>(): TimeQueue<Value> {
  const heap: Entry<Value>[] = [];
  let added = 0;
  const isBefore = (left: Entry<Value> | undefined, right: Entry<Value> | undefined): boolean =>
    left !== undefined &&
    right !== undefined &&
    (left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order));
  const swap = (left: number, right: number): void => {
    const [one, other] = [heap[left], heap[right]];
    if (one === undefined || other === undefined) return;
    heap[left] = other;
    heap[right] = one;
  };
  return {
    add(atMs, value) {
      heap.push({ atMs, order: added++, value });
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at], heap[parent])) return;
        swap(at, parent);
        at = parent;
      }
    },
    take() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
        if (!isBefore(heap[child], heap[at])) return first;
        swap(child, at);
        at = child;
      }
    },
  };
}
