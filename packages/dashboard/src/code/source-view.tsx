import { Fragment, useMemo, useState } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { highlight, type Token } from "./highlight.ts";
import type { Fault } from "./programs-of.ts";
import { SOURCE_VIEW } from "./code-words.ts";
import styles from "./code.module.css";

const LINES_SHOWN = 400;

type Props = {
  readonly name: string;
  readonly source: string;
  readonly language: string;
  readonly faults: readonly Fault[];
};

/** A program with its lines' numbers; what went wrong stands at its line. */
export function SourceView({ name, source, language, faults }: Props) {
  const [all, setAll] = useState(false);
  const lines = useMemo(() => highlight(source, language), [source, language]);
  const last = Math.max(0, ...faults.map(({ line = 0 }) => line));
  const shown = all ? lines : lines.slice(0, Math.max(LINES_SHOWN, last));
  const at = Map.groupBy(faults, ({ line }) => line);
  return (
    <div className={styles.source}>
      <CopyButton text={source} label={SOURCE_VIEW.copy} />
      <div className={styles.sourceLines} tabIndex={0} role="group" aria-label={name}>
        {shown.map((tokens, index) => {
          const found = at.get(index + 1) ?? [];
          return (
            // Lines never change their places.
            <Fragment key={index}>
              <div className={styles.sourceLine} data-part="source-line" data-fault={found.length > 0}>
                <span className={styles.sourceNumber}>{index + 1}</span>
                <code>
                  <Tokens tokens={tokens} />
                </code>
              </div>
              {found.map(({ message, code, attempt }) => (
                <p key={`${attempt} ${message}`} className={styles.sourceFault}>
                  <Icon name="failed" size={13} /> {message} <code>{code}</code>
                </p>
              ))}
            </Fragment>
          );
        })}
      </div>
      {lines.length > shown.length && (
        <button type="button" className="button button-quiet" onClick={() => setAll(true)}>
          {SOURCE_VIEW.showAllLines(lines.length)}
        </button>
      )}
    </div>
  );
}

export function Tokens({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map(({ kind, text }, index) =>
    kind === "text" ? (
      text
    ) : (
      <span key={index} data-token={kind}>
        {text}
      </span>
    ),
  );
}
