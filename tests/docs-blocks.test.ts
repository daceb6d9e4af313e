// Every code block of the documents is run or checked by exactly one test, or has a reason why not.
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  allBlocks,
  blocksRunBy,
  EXCUSES,
  isSelected,
  placeOf,
  RUNNERS,
} from "./support/documents/block-runners.ts";

const blocks = allBlocks();

it("has one test or one reason for each block", () => {
  const claims = [
    ...Object.entries(RUNNERS).flatMap(([by, selections]) =>
      selections.map((selection) => ({ by, selection })),
    ),
    ...EXCUSES.map(({ selection, reason }) => ({ by: `excused: ${reason}`, selection })),
  ];
  const wrong = blocks.flatMap((block) => {
    const by = new Set(
      claims.filter(({ selection }) => isSelected(selection, block)).map((claim) => claim.by),
    );
    return by.size === 1 ? [] : [{ block: placeOf(block), code: block.code.slice(0, 60), by: [...by] }];
  });
  expect(wrong).toEqual([]);
  expect(blocks.length).toBeGreaterThan(150);
});

it("has no selection that selects nothing", () => {
  const selections = [...Object.values(RUNNERS).flat(), ...EXCUSES.map(({ selection }) => selection)];
  const idle = selections.filter((selection) => !blocks.some((block) => isSelected(selection, block)));
  expect(idle).toEqual([]);
});

it("names only tests that exist and read the blocks", () => {
  const wrong = Object.keys(RUNNERS).filter((test) => {
    if (!existsSync(test)) return true;
    const source = readFileSync(test, "utf8");
    if (source.includes(`blocksRunBy("${test}")`)) return false;
    return blocksRunBy(test).some(
      ({ file }) => !source.includes(`"${file}"`) && !source.includes('"docs/**/*.md"'),
    );
  });
  expect(wrong).toEqual([]);
});

it("excuses only a few blocks", () => {
  expect(EXCUSES.length).toBeLessThanOrEqual(10);
});
