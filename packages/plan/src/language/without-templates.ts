/**
 * Words of a person, as they may stand in a step's arguments: double braces are pulled apart (`{{` becomes `{ {`),
 * since the plan language would take them for references.
 */
export function withoutTemplates(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, "{ ");
}
