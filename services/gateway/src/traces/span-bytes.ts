/** What an object or a list takes, and each entry of it, beside names and texts: measured on V8, rounded up. */
const OBJECT_BYTES = 56;
const ENTRY_BYTES = 24;

/**
 * About how much memory a span takes: all of it counts, whatever its sender has put there, and however deep.
 *
 * @param span - As JSON has it, without cycles.
 */
export function spanBytes(span: object): number {
  let bytes = 0;
  const pending: object[] = [span];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    bytes += OBJECT_BYTES;
    const isList = Array.isArray(one);
    for (const [name, content] of Object.entries(one) as [string, unknown][]) {
      bytes += ENTRY_BYTES + (isList ? 0 : name.length);
      if (typeof content === "string") bytes += content.length;
      else if (typeof content === "object" && content !== null) pending.push(content);
    }
  }
  return bytes;
}
