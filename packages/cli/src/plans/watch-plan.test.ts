import { expect, it } from "vitest";
import type { Output } from "../output/create-output.ts";
import { createLiveBlock } from "./watch-plan.ts";

function outputOf(kind: Output["kind"], { columns = 20, rows = 24 } = {}) {
  const written: string[] = [];
  const progress: string[] = [];
  let size = { columns, rows };
  const output: Output = {
    kind,
    size: () => size,
    raw: (text) => written.push(text),
    progress: (text) => progress.push(text),
    result: () => undefined,
    record: () => undefined,
    table: () => undefined,
    line: () => undefined,
    note: () => undefined,
    time: (at) => at,
  };
  const resize = (to: number): void => void (size = { columns: to, rows });
  return { output, written, progress, resize };
}

it("redraws its lines in place on a terminal", () => {
  const { output, written } = outputOf("terminal");
  const block = createLiveBlock(output);
  block.show(["one", "two"]);
  block.show(["three"]);
  block.end(["four"]);
  expect(written).toEqual(["one\ntwo\n", "\u001b[2A\u001b[0Jthree\n", "\u001b[1A\u001b[0Jfour\n"]);
});

it("cuts lines at the terminal's width, not counting styles", () => {
  const { output, written } = outputOf("terminal", { columns: 5 });
  const block = createLiveBlock(output);
  block.show(["\u001b[31mabc\u001b[39mdefg"]);
  block.show(["一二三"]);
  expect(written).toEqual(["\u001b[31mabc\u001b[39mde\n", "\u001b[1A\u001b[0J一二\n"]);
});

it("redraws lines that a narrower window has wrapped", () => {
  const { output, written, resize } = outputOf("terminal");
  const block = createLiveBlock(output);
  block.show(["a line of 20 columns", "short"]);
  resize(7);
  block.show(["one"]);
  expect(written.at(-1)).toBe("\u001b[4A\u001b[0Jone\n");
});

it("shows no more lines than fit the terminal", () => {
  const { output, written } = outputOf("terminal", { rows: 3 });
  const block = createLiveBlock(output);
  block.show(["one", "two", "three"]);
  block.show(["one"]);
  expect(written).toEqual(["one\ntwo\n", "\u001b[2A\u001b[0Jone\n"]);
});

it("prints each new first line once when the output is not a terminal", () => {
  const { output, written, progress } = outputOf("plain");
  const block = createLiveBlock(output);
  block.show(["running 10%", "a"]);
  block.show(["running 10%", "b"]);
  block.end(["succeeded 100%"]);
  expect([written, progress]).toEqual([[], ["running 10%", "succeeded 100%"]]);
});
