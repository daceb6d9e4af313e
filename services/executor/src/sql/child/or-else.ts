import { isBusy, isDamage } from "./sqlite-code.ts";

/**
 * What a schema makes of a table can fail in any way: a view of what is gone, a column that is computed by what is not
 * allowed. Then the other value stands for it. A lock or a damaged file concerns all of it, and is thrown.
 */
export function orElse<Value>(read: () => Value, other: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (isBusy(error) || isDamage(error)) throw error;
    return other();
  }
}
