/** @param rest - Below the plan's own path, beginning with `/`. */
export function planPath(planId: string, rest = ""): string {
  return `/v1/plans/${encodeURIComponent(planId)}${rest}`;
}
