/** The frame of a page about the whole system: its title, what it is for, and whatever it has loaded. */
import type { ReactNode } from "react";
import { usePageTitle } from "../notify/page-title.ts";
import type { Loaded } from "../ui/use-loaded.ts";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import styles from "./system.module.css";

type Props<Value> = {
  readonly title: string;
  readonly lead: string;
  readonly loaded: Loaded<Value>;
  /** Above what was loaded, also while it loads. */
  readonly controls?: ReactNode;
  readonly children: (value: Value) => ReactNode;
};

export function SystemPage<Value>({ title, lead, loaded, controls, children }: Props<Value>) {
  usePageTitle(title);
  return (
    <article className={styles.systemPage} aria-labelledby="system-title">
      <header>
        <h1 id="system-title">{title}</h1>
        <p>{lead}</p>
      </header>
      {controls}
      <Content loaded={loaded}>{children}</Content>
    </article>
  );
}

function Content<Value>({ loaded, children }: Pick<Props<Value>, "loaded" | "children">) {
  switch (loaded.phase) {
    case "loading":
      return <Loading className={styles.systemLoading} />;
    case "failed":
      return <Problem error={loaded.error} again={loaded.again} />;
    case "ready":
      return children(loaded.value);
    default:
      loaded satisfies never;
      return null;
  }
}
