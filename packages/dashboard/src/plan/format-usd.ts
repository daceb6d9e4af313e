/** US dollars: cents, and of less than ten cents as many digits as say something. */
export function formatUsd(usd: number): string {
  if (usd === 0) return "$0.00";
  if (usd < 0.0001) return "< $0.0001";
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
