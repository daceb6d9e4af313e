/** What a shell has to be told so that it asks this program how a command line could go on. */

export const SHELLS = ["bash", "zsh"] as const;
export type Shell = (typeof SHELLS)[number];

/** In place of candidates: the shell is to offer files. */
export const FILES = ":files";

/**
 * The words of the command line are handed on as they are typed and are never evaluated: pressing Tab runs nothing
 * that stands in them. No other package of completions has to be there.
 *
 * @param program - This program with its interpreter, as words: it need not be on the path.
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
