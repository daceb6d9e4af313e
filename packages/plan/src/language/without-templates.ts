/**
 * Escapes a user's text for a step's arguments: double braces are separated (`{{` becomes `{ {`), since the plan language would
 * treat them as references.
 */
export function withoutTemplates(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, "{ ");
}
