/** The scripts that make a shell request completions from this program. */

export const SHELLS = ["bash", "zsh"] as const;
export type Shell = (typeof SHELLS)[number];

/** Printed instead of candidates when the shell should complete file names. */
export const FILES = ":files";

/**
 * Returns the completion script of a shell. It passes the typed words on unchanged and never evaluates them, so pressing
 * Tab cannot run code in them. It needs no completion package.
 *
 * @param program - The interpreter and this program, as separate words; the program need not be on the PATH.
 */
export function shellScript(shell: Shell, program: readonly string[]): string {
  const command = program.map(quoted).join(" ");
  const define = `command -v planwright >/dev/null 2>&1 || planwright() { ${command} "$@"; }\n`;
  return define + (shell === "bash" ? bash(command) : zsh(command));
}

function bash(command: string): string {
  return `_planwright_complete() {
  local value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [[ $value == ${FILES} ]]; then COMPREPLY=(); return; fi
    COMPREPLY+=("$value")
  done < <(${command} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _planwright_complete planwright
`;
}

function zsh(command: string): string {
  return `_planwright_complete() {
  local value rest
  local -a candidates
  while IFS=$'\\t' read -r value rest; do
    if [[ $value == ${FILES} ]]; then _files; return; fi
    candidates+=("\${value//:/\\\\:}:$rest")
  done < <(${command} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe planwright candidates
}
compdef _planwright_complete planwright
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
