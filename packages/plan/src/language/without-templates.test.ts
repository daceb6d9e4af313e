import { expect, it } from "vitest";
import { withoutTemplates } from "./without-templates.ts";

it.each([
  ["as {{a.output}} says", "as { {a.output}} says"],
  ["{{{a.output}}}", "{ { {a.output}}}"],
  ["{a} {}", "{a} {}"],
])("leaves no reference in %j", (text, wanted) => {
  expect(withoutTemplates(text)).toBe(wanted);
});
