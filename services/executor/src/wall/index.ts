export { findWall, type FoundWall } from "./open-wall.ts";
