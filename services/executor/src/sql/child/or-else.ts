import { isBusy, isDamage } from "./sqlite-code.ts";

/**
 * Anything that depends on a table's schema can fail: a view of a removed table, a column computed by a forbidden function. Then
 * returns the other value. A lock or a damaged file affects the whole database, and is thrown.
 */
export function orElse<Value>(read: () => Value, other: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (isBusy(error) || isDamage(error)) throw error;
    return other();
  }
}
