/** Questions about which of two has more: both are reported. */
import type { Mark } from "./marks.ts";

/** `Did West or East have more orders`, `which has the higher price, a tent or a stove`: the two side by side. */
export function comparedValues(marks: readonly Mark[]): readonly Mark[] {
  const letters = marks.map(({ letter }) => letter).join("");
  const asked = /^QVE?\|VE?Z(A?M|E)[VP]*$/.exec(letters) ?? /^Q(A?M)ZVE?\|VE?[P]*$/.exec(letters);
  if (asked === null) return marks;
  const values = marks.filter(({ letter }) => letter === "V").slice(0, 2);
  const or = marks.find(({ letter }) => letter === "|");
  const [one, two] = values;
  if (one === undefined || or === undefined || two === undefined || one.column !== two.column) return marks;
  const said = asked[1] ?? "";
  const figureAt = letters.indexOf(said, letters.startsWith("QV") ? letters.indexOf("Z") : 0);
  const figure = marks.slice(figureAt, figureAt + said.length);
  const counted: readonly Mark[] = said === "E" ? [{ letter: "H", text: "number of" }] : [];
  const rest = marks.slice(1).filter((mark) => /[VP]/.test(mark.letter) && !values.includes(mark));
  return [{ letter: "r", text: "compare" }, ...counted, ...figure, one, { ...or, letter: "&" }, two, ...rest];
}
