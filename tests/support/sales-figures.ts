/** The figures of the sales file, from its lines. */
import { readFile } from "node:fs/promises";

/** Each region in both quarters, which of them grew fastest, and its best products: computed without any of the system. */
export async function salesFigures(file: string) {
  const [header = "", ...lines] = (await readFile(file, "utf8")).trim().split(/\r?\n/);
  const names = header.split(",");
  const rows = lines.map((line) => new Map(line.split(",").map((cell, index) => [names[index], cell])));
  const sum = (keep: (row: Map<string | undefined, string>) => boolean): number =>
    rows.filter(keep).reduce((total, row) => total + Number(row.get("revenue")), 0);
  const inQuarter = (row: Map<string | undefined, string>, quarter: number): boolean =>
    Math.ceil(Number(row.get("order_date")?.slice(5, 7)) / 3) === quarter;
  const regions = [...new Set(rows.map((row) => row.get("region") ?? ""))].map((region) => {
    const of = (quarter: number) => sum((row) => row.get("region") === region && inQuarter(row, quarter));
    const [q3, q4] = [of(3), of(4)];
    const growth = ((100 * (q4 - q3)) / q3).toFixed(1);
    return { region, q3: Number(q3.toFixed(2)), q4: Number(q4.toFixed(2)), growth };
  });
  const fastest = regions.toSorted((left, right) => Number(right.growth) - Number(left.growth))[0];
  if (fastest === undefined) throw new Error("no regions");
  const isHere = (row: Map<string | undefined, string>) =>
    row.get("region") === fastest.region && inQuarter(row, 4);
  const products = [...new Set(rows.map((row) => row.get("product") ?? ""))]
    .map((product) => ({ product, revenue: sum((row) => isHere(row) && row.get("product") === product) }))
    .toSorted((left, right) => right.revenue - left.revenue)
    .slice(0, 3)
    .map(({ product, revenue }) => ({ product, revenue: revenue.toFixed(2) }));
  return { fastest, products, regions: regions.toSorted((left, right) => right.q4 - left.q4) };
}
