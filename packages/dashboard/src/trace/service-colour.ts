const COLOURS: ReadonlyMap<string, string> = new Map([
  ["gateway", "[--service:var(--service-1)]"],
  ["planner", "[--service:var(--service-2)]"],
  ["executor", "[--service:var(--service-3)]"],
  ["reflector", "[--service:var(--service-4)]"],
]);

/** The class that sets `--service` to a service's colour, the same in every trace. Unknown services share the last one. */
export function serviceColour(service: string): string {
  return COLOURS.get(service) ?? "[--service:var(--service-5)]";
}
