export { findWall, type FoundWall } from "./find-wall.ts";
