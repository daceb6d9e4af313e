/**
 * Finds the end of a JSON value, however its text is cut into pieces.
 *
 * It counts brackets and follows strings; `JSON.parse` decides whether the text is valid JSON.
 */
export class ValueScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #kind: "unknown" | "container" | "string" | "bare" = "unknown";

  /**
   * Continues reading at `start`.
   *
   * @returns The index after the value's last character, or undefined when the value continues in the next piece.
   */
  read(piece: string, start: number): number | undefined {
    for (let index = start; index < piece.length; index++) {
      const char = piece.charAt(index);
      if (this.#kind === "unknown") this.#kind = kindOf(char);
      if (this.#kind === "bare") {
        if (/[\s,:{}[\]"]/.test(char)) return index;
      } else if (this.#closes(char)) return index + 1;
    }
    return undefined;
  }

  /** Whether the value ends with this character, a bracket or a quote. */
  #closes(char: string): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (char === "\\") this.#escaped = true;
      else if (char === '"') this.#inString = false;
      return !this.#inString && this.#depth === 0;
    }
    if (char === '"') this.#inString = true;
    else if (char === "{" || char === "[") this.#depth++;
    else if (char === "}" || char === "]") this.#depth--;
    return !this.#inString && this.#depth === 0;
  }
}

function kindOf(char: string): "container" | "string" | "bare" {
  if (char === "{" || char === "[") return "container";
  return char === '"' ? "string" : "bare";
}
