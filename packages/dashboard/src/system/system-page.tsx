/** The frame of a page about the whole system: its title, its purpose and its data. */
import type { ReactNode } from "react";
import { usePageTitle } from "../notify/page-title.ts";
import type { Loaded } from "../ui/use-loaded.ts";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";

type Props<Value> = {
  readonly title: string;
  readonly lead: string;
  readonly loaded: Loaded<Value>;
  /** Shown above the data, even while it loads. */
  readonly controls?: ReactNode;
  readonly children: (value: Value) => ReactNode;
};

export function SystemPage<Value>({ title, lead, loaded, controls, children }: Props<Value>) {
  usePageTitle(title);
  return (
    <article
      className="mx-auto grid w-full max-w-[1080px] grid-cols-1 content-start gap-4.5 px-7 pt-6.5 pb-15"
      aria-labelledby="system-title"
    >
      <header>
        <h1 className="text-xl" id="system-title">
          {title}
        </h1>
        <p className="text-soft">{lead}</p>
      </header>
      {controls}
      <Content loaded={loaded}>{children}</Content>
    </article>
  );
}

function Content<Value>({ loaded, children }: Pick<Props<Value>, "loaded" | "children">) {
  switch (loaded.phase) {
    case "loading":
      return <Loading className="h-55" />;
    case "failed":
      return <Problem error={loaded.error} again={loaded.again} />;
    case "ready":
      return children(loaded.value);
    default:
      loaded satisfies never;
      return null;
  }
}
