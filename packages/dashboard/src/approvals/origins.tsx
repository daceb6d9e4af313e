import { composedText, originText } from "@planwright/plan/origin-text";
import type { Approval } from "../api/api-types.ts";
import { ORIGINS } from "./approval-words.ts";
import styles from "./approvals.module.css";

/** Where the URLs that a model composed lead, and where each argument comes from. */
export function Origins({ approval }: { readonly approval: Approval }) {
  const { composedUrls = [], argumentOrigins = [] } = approval;
  return (
    <>
      {composedUrls.length > 0 && (
        <dl className={styles.approvalOrigins} aria-label={ORIGINS.urls}>
          {composedUrls.map((url) => (
            <div key={url.argument}>
              <dt>
                <code>{url.argument}</code>
              </dt>
              <dd>
                {ORIGINS.target} {composedText(url) ?? ORIGINS.unknownAddress}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {argumentOrigins.length > 0 && (
        <details className={styles.approvalArgs}>
          <summary>{ORIGINS.argumentSources}</summary>
          <dl className={styles.approvalOrigins}>
            {argumentOrigins.map((origin) => (
              <div key={origin.argument}>
                <dt>
                  <code>{origin.argument}</code>
                </dt>
                <dd>{originText(origin)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
