type Source = { readonly name: string; readonly writable?: boolean | undefined };

/**
 * Returns the data source that a program of the strategy `code` is written for: the only one, or the only one that can
 * be changed. Undefined when that leaves none or several.
 */
export function programSource<Known extends Source>(sources: readonly Known[]): Known | undefined {
  const [first, ...others] = sources;
  if (others.length === 0) return first;
  const [writable, ...more] = sources.filter((source) => source.writable === true);
  return more.length === 0 ? writable : undefined;
}
