/** Which points are passed by plans that run as plans do, and which need a special situation. */
import { FAULT_POINTS, type PublishedKind } from "@planwright/shared/faults";
import type { ServiceName } from "@planwright/testkit";

/** Published when it is unknown whether a step took effect, when a user retries a dead letter, and when a model server fails. */
export const RARE_KINDS = [
  "interruption",
  "redrive",
  "model-failure",
] as const satisfies readonly PublishedKind[];
export type RareKind = (typeof RARE_KINDS)[number];

/** The points of a service that plans of every kind pass, as the code names them. */
export function commonPoints(service: ServiceName): string[] {
  return [...FAULT_POINTS]
    .filter(([point, passedBy]) => passedBy === service && !RARE_KINDS.some((kind) => isOf(kind, point)))
    .map(([point]) => point);
}

/** The points around the publishing of one kind of message. */
export function pointsOf(kind: RareKind): string[] {
  return [...FAULT_POINTS.keys()].filter((point) => isOf(kind, point));
}

function isOf(kind: PublishedKind, point: string): boolean {
  return point.startsWith(`${kind}.`);
}
