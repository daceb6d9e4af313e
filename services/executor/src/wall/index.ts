export { findWall, type FoundWall } from "./find-wall.ts";
export type { Wall } from "./wall.ts";
