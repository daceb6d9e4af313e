import { expect, it } from "vitest";
import type { Output } from "./create-output.ts";
import { createLiveBlock } from "./live-block.ts";

function outputOf(kind: Output["kind"], width = 20) {
  const written: string[] = [];
  const said: string[] = [];
  const output: Output = {
    kind,
    width,
    raw: (text) => written.push(text),
    progress: (text) => said.push(text),
    result: () => undefined,
    table: () => undefined,
    line: () => undefined,
    note: () => undefined,
  };
  return { output, written, said };
}

it("writes its lines again in their place on a terminal", () => {
  const { output, written } = outputOf("terminal");
  const block = createLiveBlock(output);
  block.show(["one", "two"]);
  block.show(["three"]);
  block.end(["four"]);
  expect(written).toEqual(["one\ntwo\n", "\u001b[2A\u001b[0Jthree\n", "\u001b[1A\u001b[0Jfour\n"]);
});

it("cuts a line at the terminal's width, which styles do not take up", () => {
  const { output, written } = outputOf("terminal", 5);
  const block = createLiveBlock(output);
  block.show(["\u001b[31mabc\u001b[39mdefg"]);
  expect(written).toEqual(["\u001b[31mabc\u001b[39mde\n"]);
});

it("says each first line once where there is no terminal", () => {
  const { output, written, said } = outputOf("plain");
  const block = createLiveBlock(output);
  block.show(["running 10 %", "a"]);
  block.show(["running 10 %", "b"]);
  block.end(["succeeded 100 %"]);
  expect([written, said]).toEqual([[], ["running 10 %", "succeeded 100 %"]]);
});
