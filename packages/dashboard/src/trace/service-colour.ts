const COLOURS: readonly string[] = ["gateway", "planner", "executor", "reflector"];

/** The number of a service's colour, the same in every trace. Unknown services share the last one. */
export function serviceColour(service: string): number {
  const index = COLOURS.indexOf(service);
  return index === -1 ? COLOURS.length + 1 : index + 1;
}
