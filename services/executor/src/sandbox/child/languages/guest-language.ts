/** The languages of programs. */
import type { JSValueHandle, QuickJS, QuickJSOptions } from "quickjs-wasi";

export type GuestLanguage = {
  /** Opens a context for its programs, without anything of ours in it. */
  readonly open: (options: QuickJSOptions) => Promise<QuickJS>;
  /**
   * Turns the program into a function. It is called with the parts, in the order of their names; the result is its return value,
   * awaited if it is a promise.
   *
   * @throws {JSException} When the program cannot be parsed.
   */
  readonly load: (guest: QuickJS, code: string, names: readonly string[]) => JSValueHandle;
  /** The line of the program's text, counted from 1, that comes first in an error's stack. */
  readonly lineOf: (stack: string) => number | undefined;
};
