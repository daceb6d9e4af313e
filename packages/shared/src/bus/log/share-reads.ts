/**
 * One read for all simultaneous callers: when hundreds want to know the same thing at the same moment, it is read once, and
 * once more for those who have asked since that reading began, because it may not show what they ask for.
 *
 * @param read - Must show at least what was there when it was called.
 */
export function shareReads<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const underWay = new Map<Key, Promise<Value>>();
  /** Those that have not begun. */
  const next = new Map<Key, Promise<Value>>();

  const readAfter = async (key: Key, before: Promise<unknown> | undefined): Promise<Value> => {
    await before?.catch(() => undefined);
    const own = next.get(key);
    next.delete(key);
    if (own !== undefined) underWay.set(key, own);
    try {
      return await read(key);
    } finally {
      if (underWay.get(key) === own) underWay.delete(key);
    }
  };
  return (key) => {
    const waiting = next.get(key);
    if (waiting !== undefined) return waiting;
    const reading = Promise.resolve().then(() => readAfter(key, underWay.get(key)));
    next.set(key, reading);
    return reading;
  };
}
