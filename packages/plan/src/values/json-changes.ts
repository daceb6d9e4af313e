/**
 * The difference between two JSON values, so that only the changes must be sent: each has a path, as in RFC 6902, but without
 * moves.
 *
 * Applying the changes keeps every unchanged part as the same object, so values derived from such a part need not be derived
 * again.
 */

/** Keys of objects and positions in lists, outermost first. */
export type JsonPath = readonly (string | number)[];

/** The new value at a path. Without a value, the path is removed; in a list, with everything after it. */
export type JsonChange = readonly [path: JsonPath, value?: unknown];

type Container = Record<string | number, unknown>;

/**
 * The changes that turn the first value into the second.
 *
 * Linear in the values; lists are compared position by position. Undefined fields count as absent, as in JSON.
 *
 * @param changesMax - With more changes than this, the whole value is the shorter message.
 * @returns Undefined if there are more changes than that.
 */
export function changesBetween(
  before: unknown,
  after: unknown,
  changesMax = Number.POSITIVE_INFINITY,
): readonly JsonChange[] | undefined {
  const changes: JsonChange[] = [];
  const path: (string | number)[] = [];
  const at = (key: string | number, compare: () => boolean): boolean => {
    path.push(key);
    const goesOn = compare();
    path.pop();
    return goesOn;
  };
  const note = (...value: [] | [unknown]): boolean => changes.push([[...path], ...value]) <= changesMax;
  /** False once there are too many. */
  const compare = (left: unknown, right: unknown): boolean => {
    if (left === right) return true;
    if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right);
    const areObjects =
      isContainer(left) && isContainer(right) && !Array.isArray(left) && !Array.isArray(right);
    return areObjects ? compareObjects(left, right) : note(right);
  };
  const compareLists = (left: readonly unknown[], right: readonly unknown[]): boolean => {
    for (const [index, value] of right.entries()) {
      if (index < left.length && left[index] === value) continue;
      const goesOn = at(index, () => (index < left.length ? compare(left[index], value) : note(value)));
      if (!goesOn) return false;
    }
    return right.length >= left.length || at(right.length, () => note());
  };
  const compareObjects = (left: Container, right: Container): boolean => {
    for (const [key, value] of Object.entries(right)) {
      if (value === undefined || left[key] === value) continue;
      const goesOn = at(key, () => (isThere(left, key) ? compare(left[key], value) : note(value)));
      if (!goesOn) return false;
    }
    for (const key of Object.keys(left)) {
      if (isThere(left, key) && !isThere(right, key) && !at(key, () => note())) return false;
    }
    return true;
  };
  return compare(before, after) ? changes : undefined;
}

/**
 * Returns the value with the changes applied. The given value is not modified; unchanged parts are shared with it.
 *
 * @throws {RangeError} If a path does not exist in the value.
 */
export function applyChanges<Value>(value: Value, changes: readonly JsonChange[]): Value {
  /** Copies made by this call: no other code holds them yet, so they may be changed in place. */
  const own = new Set<unknown>();
  const ownCopy = (original: unknown, path: JsonPath): Container => {
    if (!isContainer(original)) throw new RangeError(`there is no ${JSON.stringify(path)} to change`);
    if (own.has(original)) return original;
    const copy: unknown = Array.isArray(original) ? [...(original as unknown[])] : { ...original };
    own.add(copy);
    return copy as Container;
  };
  let root: unknown = value;
  for (const change of changes) {
    const [path, next] = change;
    const last = path.at(-1);
    if (last === undefined) {
      root = next;
      continue;
    }
    let container = ownCopy(root, path);
    root = container;
    for (const key of path.slice(0, -1)) {
      const inner = ownCopy(Object.hasOwn(container, key) ? container[key] : undefined, path);
      put(container, key, inner);
      container = inner;
    }
    if (change.length === 2) put(container, last, next);
    else remove(container, last);
  }
  // The changes turn one value of this type into another.
  return root as Value;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function isThere(container: Container, key: string): boolean {
  return Object.hasOwn(container, key) && container[key] !== undefined;
}

/** A key may have the name of an inherited property. */
function put(container: Container, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function remove(container: Container, key: string | number): void {
  if (Array.isArray(container)) container.length = Math.min(container.length, Number(key));
  else delete container[key];
}
