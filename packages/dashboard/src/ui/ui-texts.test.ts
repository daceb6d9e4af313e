// The page's texts are in catalogues (`*-words.ts`), where a writer can edit and translate them: no component contains one.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { expect, it } from "vitest";

const SRC = path.resolve(import.meta.dirname, "..");
/** Attributes that are visible or read by screen readers. */
const SHOWN = new Set(["aria-label", "aria-description", "title", "placeholder", "label", "alt"]);

it("keeps all texts out of the components", async () => {
  const found: string[] = [];
  for await (const file of glob("**/*.tsx", { cwd: SRC })) {
    const texts = textsIn(await readFile(path.join(SRC, file), "utf8"));
    found.push(...texts.map((text) => `${file}: ${text}`));
  }
  expect(found).toEqual([]);
});

it("finds texts between elements, in expressions and in attributes", () => {
  const source =
    'const a = <p title="One">Two {b && "three"} <i aria-label={c ? `four ${d}` : x("five")} id="six" />7 · {seven("e")}</p>;';
  expect(textsIn(source).toSorted()).toEqual(["One", "Two", "four", "three"]);
});

/** Every literal with letters that a component would show. */
function textsIn(source: string): string[] {
  const found: string[] = [];
  const note = (text: string) => {
    if (/\p{L}{2}|\p{Lu}/u.test(text)) found.push(text.trim());
  };
  const noteChildren = ({ children }: { children: readonly ESTree.JSXChild[] }) => {
    for (const child of children) if (child.type === "JSXExpressionContainer") noteValue(child.expression);
  };
  /** The possible values of an expression; not the values that it compares or passes on. */
  const noteValue = (node: ESTree.Expression | ESTree.JSXEmptyExpression): void => {
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "string") note(node.value);
        return;
      case "TemplateLiteral":
        for (const { value } of node.quasis) note(value.raw);
        return;
      case "ConditionalExpression":
        noteValue(node.consequent);
        noteValue(node.alternate);
        return;
      case "LogicalExpression":
        if (node.operator !== "&&") noteValue(node.left);
        noteValue(node.right);
        return;
      case "ParenthesizedExpression":
        noteValue(node.expression);
        return;
      default:
    }
  };
  new Visitor({
    JSXText: ({ value }) => note(value),
    JSXElement: noteChildren,
    JSXFragment: noteChildren,
    JSXAttribute: ({ name, value }) => {
      if (name.type !== "JSXIdentifier" || !SHOWN.has(name.name)) return;
      if (value?.type === "Literal") note(value.value);
      if (value?.type === "JSXExpressionContainer") noteValue(value.expression);
    },
  }).visit(parseSync("component.tsx", source).program);
  return found;
}
