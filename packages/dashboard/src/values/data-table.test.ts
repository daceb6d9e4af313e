import { expect, it } from "vitest";
import { columnFormat } from "./data-table.tsx";

it("shows all numbers of a column with the digits of the most exact one, however many there are", () => {
  const column = Array.from({ length: 200_000 }, (_, index) => (index === 7 ? 0.125 : index));
  expect(columnFormat(column)?.format(3)).toBe("3.000");
  expect(columnFormat([2_024, null])?.format(2_024)).toBe("2024");
  expect(columnFormat([2_024, 10_000])?.format(2_024)).toBe("2,024");
  expect(columnFormat([1, "a"])).toBeUndefined();
});
