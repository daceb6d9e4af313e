import { Component, type ReactNode } from "react";
import { Notice } from "./notice.tsx";
import { COMMON, ERROR_BOUNDARY } from "./ui-words.ts";
import { Button } from "./button.tsx";

type Props = { readonly what: string; readonly children: ReactNode };

/** Keeps an error in one part of the page from blanking the rest. */
export class ErrorBoundary extends Component<Props, { readonly message: string | undefined }> {
  override state = { message: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  #again(message: string): void {
    // The browser caches a failed module load; only a reload requests the module again.
    if (/\bmodule\b/i.test(message)) location.reload();
    else this.setState({ message: undefined });
  }

  override render(): ReactNode {
    const message: string | undefined = this.state.message;
    if (message === undefined) return this.props.children;
    return (
      <Notice icon="alert" title={ERROR_BOUNDARY.cannotBeShown(this.props.what)}>
        <p>{message}</p>
        <Button onClick={() => this.#again(message)}>{COMMON.tryAgain}</Button>
      </Notice>
    );
  }
}
