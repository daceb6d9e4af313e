/** A name as an SQL identifier, whatever it contains. */
export function quoteName(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
