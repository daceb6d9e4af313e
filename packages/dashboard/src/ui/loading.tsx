import { LOADING } from "./ui-words.ts";
type Props = {
  /** Says how large what is awaited will be. */
  readonly className?: string;
  /** What is awaited, for who cannot see the shimmer. */
  readonly what?: string;
};

/** What a place shows until it has something to show. */
export function Loading({ className = "", what = LOADING.loading }: Props) {
  return <div className={`skeleton ${className}`} role="status" aria-label={what} />;
}
