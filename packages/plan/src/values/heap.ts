/** A binary heap. Each operation takes logarithmic time, except `first` and `size`. */
export type Heap<Value> = {
  add(value: Value): void;
  /** The first value in the order; undefined if there is none. */
  first(): Value | undefined;
  /** The same value, and removes it. */
  take(): Value | undefined;
  readonly size: number;
};

/** @param isBefore - A strict order: false for a value and itself. */
export function createHeap<Value>(isBefore: (left: Value, right: Value) => boolean): Heap<Value> {
  const values: Value[] = [];
  const precedes = (left: number, right: number): boolean => {
    const [one, other] = [values[left], values[right]];
    return one !== undefined && other !== undefined && isBefore(one, other);
  };
  const swap = (left: number, right: number): void => {
    const [one, other] = [values[left], values[right]];
    if (one === undefined || other === undefined) return;
    values[left] = other;
    values[right] = one;
  };
  return {
    add(value) {
      values.push(value);
      for (let at = values.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!precedes(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    first: () => values[0],
    take() {
      swap(0, values.length - 1);
      const first = values.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const child = precedes(left + 1, left) ? left + 1 : left;
        if (!precedes(child, at)) return first;
        swap(child, at);
        at = child;
      }
    },
    get size() {
      return values.length;
    },
  };
}
