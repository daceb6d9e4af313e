import type { ReportRenderer } from "../report/report-renderer.ts";
import type { MailMessage } from "./mail-message.ts";

/** The HTML form of an email whose text is Markdown; it loads nothing. Undefined for plain text. */
export async function mailHtml(
  { format, body }: Pick<MailMessage, "format" | "body">,
  { reports, signal }: { readonly reports: ReportRenderer; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (format !== "markdown") return undefined;
  const request = { title: "", markdown: body, charts: [], tables: [], formats: ["html" as const] };
  const { html } = await reports.render(request, { signal });
  // An email gets no heading that its author did not write.
  return html === undefined ? undefined : Buffer.from(html).toString().replace("<h1></h1>\n", "");
}
