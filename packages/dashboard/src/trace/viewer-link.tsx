import { useSystemInfo } from "../shell/services.ts";
import { viewerOf } from "./viewer-of.ts";
import { VIEWER_LINK } from "./trace-words.ts";

/** To the trace in another viewer; nothing where none is set up. */
export function ViewerLink({ traceId, className }: { traceId: string; className?: string }) {
  const viewer = viewerOf(useSystemInfo()?.traces.url, traceId);
  if (viewer === undefined) return null;
  return (
    <a className={className} href={viewer.href} target="_blank" rel="noopener noreferrer">
      {VIEWER_LINK.openIn(viewer.name)}
    </a>
  );
}
