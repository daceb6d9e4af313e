/**
 * The words of an agent type's operator, and after them what every call of the kind has to keep to.
 *
 * @param agent - Absent when the step has no agent type, or that one nothing to say.
 */
export function asAgent(agent: string | undefined, system: string): string {
  return agent === undefined ? system : `${agent}\n\n${system}`;
}
