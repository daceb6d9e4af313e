import { expect, it } from "vitest";
import { areWellInView, isInView, nodeSize, ZOOM_MIN } from "./view-port.ts";

const SIZE = nodeSize("LR");
const seen = (x: number, y: number, viewport = { x: 0, y: 0, zoom: 1 }) =>
  isInView({ x, y }, SIZE, { width: 800, height: 400, viewport });

it("counts a node as visible if all of it is in view", () => {
  expect([seen(0, 0), seen(800 - SIZE.width, 400 - SIZE.height)]).toEqual([true, true]);
  expect([seen(-1, 0), seen(0, -1), seen(801 - SIZE.width, 0), seen(0, 401 - SIZE.height)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([seen(-100, 0, { x: 100, y: 0, zoom: 1 }), seen(700, 0, { x: 100, y: 0, zoom: 1 })]).toEqual([
    true,
    false,
  ]);
});

it("does not count a node as visible if it is too small to read", () => {
  expect([seen(0, 0, { x: 0, y: 0, zoom: ZOOM_MIN }), seen(0, 0, { x: 0, y: 0, zoom: 0.1 })]).toEqual([
    true,
    false,
  ]);
});

it("counts several nodes as well shown if each is readable and not much smaller than necessary", () => {
  const well = (last: { x: number; y: number }, zoom: number) =>
    areWellInView([{ x: 0, y: 0 }, last], SIZE, { width: 800, height: 400, viewport: { x: 0, y: 0, zoom } });
  const right = 800 - SIZE.width;
  expect([well({ x: right, y: 0 }, 1), well({ x: right + 1, y: 0 }, 1)]).toEqual([true, false]);
  expect([well({ x: 40, y: 0 }, 1), well({ x: 40, y: 0 }, 0.6), well({ x: right, y: 0 }, 0.6)]).toEqual([
    true,
    false,
    true,
  ]);
});
