/** The tools that every executor has, and the child processes that some of them use. */
import { PROGRAM_CALLS_MAX } from "@planwright/plan";
import { createChartRenderer } from "../report/chart-renderer.ts";
import { type DocsIndex, docsSearch } from "../docs/docs-search.ts";
import { createDocumentReader, textExtract } from "../documents/text-extract.ts";
import { createTextExtractor } from "../documents/text-extractor.ts";
import type { MailSettings } from "../mail/mail-config.ts";
import { createFetcher } from "../net/create-fetcher.ts";
import { createSender, httpSend } from "../net/http-send.ts";
import type { Egress } from "../net/egress.ts";
import { createPageReader } from "../page/page-reader.ts";
import { createReportRenderer } from "../report/report-renderer.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { createSourceWriter } from "../sql/source-writer.ts";
import { createSqlRunner } from "../sql/sql-runner.ts";
import type { Wall } from "../wall/wall.ts";
import type { SearchProvider } from "../web-search/search-provider.ts";
import { agentReact, type ReactLimits } from "./agent-react.ts";
import { chartRender } from "../report/chart-render.ts";
import { codeRun } from "../code-plan/code-run.ts";
import { dataApply } from "../sql/data-apply.ts";
import { dataDryrun } from "../code-plan/data-dryrun.ts";
import type { Tool } from "./define-tool.ts";
import { emailDraft } from "../mail/email-draft.ts";
import { emailSend } from "../mail/email-send.ts";
import { filesList } from "../files/files-list.ts";
import { filesRead } from "../files/files-read.ts";
import { filesWrite } from "../files/files-write.ts";
import { flowEcho } from "./flow-echo.ts";
import { flowWait } from "./flow-wait.ts";
import { httpFetch } from "../page/http-fetch.ts";
import { mathEvaluate } from "./math-evaluate.ts";
import { modelWrite } from "./model-write.ts";
import { reportRender } from "../report/report-render.ts";
import { sqlQuery } from "../sql/sql-query.ts";
import { webSearch } from "../web-search/web-search.ts";

export type ToolsConfig = {
  /** The index that docs.search searches. */
  readonly docs: DocsIndex;
  /** `host:port` pairs that http.fetch and http.send can reach even at a private address. */
  readonly httpFetchAllow: readonly string[];
  /** Limits on the hosts of URLs; any public host by default. */
  readonly egress?: Egress | undefined;
  /** Limits for loops; default 50 turns. */
  readonly react?: ReactLimits;
  /** The provider for web.search; the tool does not exist without it. */
  readonly webSearch?: SearchProvider | undefined;
  /** The sender of emails and the mail server; email.send does not exist without a sender. */
  readonly mail: MailSettings;
  /** The wall around the children; none by default. */
  readonly wall?: Wall | undefined;
};

/** Tools that an executor only has when they are configured. */
export const CONFIGURED_TOOLS: readonly string[] = ["web.search", "email.send"];

/** Disposing ends the children. */
export function createTools({
  docs,
  httpFetchAllow,
  egress,
  react,
  webSearch: searchProvider,
  mail: { from, sender },
  wall,
}: ToolsConfig): Disposable & { readonly tools: Tool[] } {
  const children = new DisposableStack();
  const sql = children.use(createSqlRunner({ wall }));
  const documents = createDocumentReader({
    pages: children.use(createPageReader({ wall })),
    extractor: children.use(createTextExtractor({ wall })),
  });
  const fetcher = createFetcher({ allow: httpFetchAllow, egress });
  const charts = children.use(createChartRenderer({ wall }));
  const reports = children.use(createReportRenderer({ wall }));
  const sandbox = children.use(createSandbox({ toolCalls: PROGRAM_CALLS_MAX }, wall));
  const tools = [
    docsSearch({ docs }),
    ...(searchProvider === undefined ? [] : [webSearch({ provider: searchProvider })]),
    httpSend({ sender: createSender({ allow: httpFetchAllow, egress }) }),
    httpFetch({ fetcher, documents }),
    textExtract({ fetcher, documents }),
    sqlQuery({ sql }),
    mathEvaluate(),
    chartRender({ charts }),
    reportRender({ charts, reports }),
    codeRun({ sandbox, now: Date.now }),
    dataDryrun({ sql, sandbox, now: Date.now }),
    dataApply({ writer: children.use(createSourceWriter(wall)) }),
    modelWrite(),
    agentReact(react),
    emailDraft({ from, reports }),
    ...(sender === undefined ? [] : [emailSend({ from, sender, reports })]),
    filesWrite(),
    filesRead(),
    filesList(),
    flowEcho(),
    flowWait(),
  ];
  return { tools, [Symbol.dispose]: () => children.dispose() };
}
