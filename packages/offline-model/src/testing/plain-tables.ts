/** Small tables with plain columns, as users upload them. */
import { type Cell, loadTables } from "./load-table.ts";

const NAMES = ["Ada Voss", "Ben Otero", "Cleo Marsh", "Dan Ruiz", "Eve Lang"];
/** Stations, bikes and inspections that refer to one another. */
export const fleet = loadTables("fleet", {
  stations: {
    columns: ["id", "name", "town", "manager", "opened_year"],
    rows: [
      [1, "Harbour", "Easton", "Ada Voss", 2012],
      [2, "Museum", "Easton", "Ben Otero", 2016],
      [3, "Airport", "Weston", "Cleo Marsh", 2019],
    ],
  },
  bikes: {
    columns: ["id", "frame_number", "kind", "purchase_price", "bought_on", "station_id"],
    rows: Array.from({ length: 20 }, (_, index): Cell[] => [
      index + 1,
      `F${100 + index}`,
      ["city", "cargo", "tandem"][index % 3] ?? null,
      300 + ((index * 137) % 900),
      `2024-0${(index % 9) + 1}-1${index % 9}`,
      (index % 2) + 1,
    ]),
  },
  inspections: {
    columns: ["id", "bike_id", "inspection_date", "inspector", "score", "defect_count", "lamp_working"],
    rows: Array.from({ length: 60 }, (_, index): Cell[] => [
      index + 1,
      // Two bikes were never inspected, including the most expensive one.
      ((index * 7) % 17) + 1,
      `2025-0${(index % 6) + 1}-2${index % 9}`,
      NAMES[index % 7 < 3 ? 0 : index % 4] ?? null,
      index % 5 === 0 ? null : 50 + (index % 40),
      index % 4 === 0 ? null : index % 3,
      index % 3 === 0 ? "no" : "yes",
    ]),
  },
});
/** One table of hires, with empty dates, keys of letters and ways of payment. */
export const hires = loadTables("hires", {
  hires: {
    columns: ["hire_no", "customer", "start_date", "returned_on", "hours", "price", "payment", "rider_code"],
    rows: Array.from({ length: 48 }, (_, index): Cell[] => [
      `H${24 + (index % 2)}-${100 + index}`,
      NAMES[(index * 3) % 5] ?? null,
      `2025-0${(index % 4) + 3}-0${(index % 9) + 1}`,
      index % 6 === 0 ? null : `2025-0${(index % 4) + 3}-1${index % 9}`,
      1 + ((index * 5) % 9),
      5 + ((index * 11) % 70),
      ["card", "card", "cash", "voucher"][index % 4] ?? null,
      `R${index % 7}`,
    ]),
  },
});
