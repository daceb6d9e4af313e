/**
 * The address of a docs page, which the gateway serves.
 *
 * @param page - Relative to docs/, without `.md`, such as `guides/add-a-tool` or `budgets#approvals`.
 */
export function docsHref(page: string): string {
  return `/docs/guide/${page}`;
}
