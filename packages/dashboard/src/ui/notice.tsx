import clsx from "clsx";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { LOADING } from "./ui-words.ts";

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** `page` when the notice is all there is. */
  readonly of?: "page" | "part";
  readonly className?: string | undefined;
  readonly children?: ReactNode;
};

/** What a place says when it has nothing else to show. */
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
  /** Says how large what is awaited will be. */
  readonly className?: string;
  /** What is awaited, for who cannot see the shimmer. */
  readonly what?: string;
};

/** What a place shows until it has something to show. */
export function Loading({ className, what = LOADING.loading }: LoadingProps) {
  return <div className={clsx("skeleton", className)} role="status" aria-label={what} />;
}
