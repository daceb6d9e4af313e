/** The languages of programs. */
import type { JSValueHandle, QuickJS, QuickJSOptions } from "quickjs-wasi";

export type GuestLanguage = {
  /** Opens a world in which its programs can run; nothing of ours is in it yet. */
  readonly open: (options: QuickJSOptions) => Promise<QuickJS>;
  /**
   * Makes a function of the program. It is called with the parts, in the order of their names, and what it returns,
   * or what that comes to, is the result.
   *
   * @throws {JSException} When the program cannot be read.
   */
  readonly load: (guest: QuickJS, code: string, names: readonly string[]) => JSValueHandle;
  /** The line of the program's text, from 1, that an error's stack names first. */
  readonly lineOf: (stack: string) => number | undefined;
};
