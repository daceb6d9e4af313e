/**
 * The prompt of an agent type's operator, followed by the rules for every call of this kind.
 *
 * @param agent - Absent when the step has no agent type, or its type has no prompt.
 */
export function asAgent(agent: string | undefined, system: string): string {
  return agent === undefined ? system : `${agent}\n\n${system}`;
}
