/**
 * Returns the anchor that GitHub gives a heading: everything but letters, digits, hyphens and underscores is dropped, and
 * spaces become hyphens.
 */
export function githubSlug(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
