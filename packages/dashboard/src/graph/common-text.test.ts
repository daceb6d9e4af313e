import { expect, it } from "vitest";
import { commonText } from "./common-text.ts";

it.each([
  [["Collect region 1 of Q3", "Collect region 2 of Q3", "Collect region 10 of Q3"], "Collect region … of Q3"],
  [["Read page 1", "Read page 2"], "Read page …"],
  [["Berlin: count shops", "Bremen: count shops"], "… count shops"],
  [["Same", "Same"], "Same"],
  [["Wait", "Wait for it"], "Wait …"],
  [["a b", "b a"], undefined],
  [["", ""], undefined],
  [["", "Read"], undefined],
  [["reader", "reading"], undefined],
] as const)("finds what %j have in common", (texts, common) => {
  expect(commonText(texts)).toBe(common);
});
