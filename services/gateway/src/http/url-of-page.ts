import { getPrometheusMetrics } from "@planwright/api";

/**
 * The dashboard's page of metrics has the path of the metrics for Prometheus. Browsers, which accept HTML, get the page:
 * its URL with a slash at the end, which no endpoint has. Everything else gets the metrics.
 *
 * @returns The URL to route by.
 */
export function urlOfPage(url: string, accept: string | undefined): string {
  const { path } = getPrometheusMetrics;
  const isOfMetrics = url === path || url.startsWith(`${path}?`);
  if (!isOfMetrics || accept?.includes("text/html") !== true) return url;
  return `${path}/${url.slice(path.length)}`;
}
