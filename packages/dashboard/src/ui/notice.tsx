import clsx from "clsx";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { LOADING } from "./ui-words.ts";

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** `page` when the notice is the only content. */
  readonly of?: "page" | "part";
  readonly className?: string | undefined;
  readonly children?: ReactNode;
};

/** A message in a place that has nothing else to show. */
export function Notice({ icon, title, of: scope = "part", className, children }: Props) {
  return (
    <div className={clsx("notice", className)}>
      <Icon name={icon} size={26} />
      {scope === "page" ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

type LoadingProps = {
  /** Sets the size of the expected content. */
  readonly className?: string;
  /** Names the expected content, for screen readers. */
  readonly what?: string;
};

/** A placeholder while content loads. */
export function Loading({ className, what = LOADING.loading }: LoadingProps) {
  return <div className={clsx("skeleton", className)} role="status" aria-label={what} />;
}
