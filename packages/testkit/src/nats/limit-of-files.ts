/** What POSIX calls a block, and `ulimit -f` counts. */
const BLOCK_BYTES = 512;

/** The line of a shell script that limits the size of the files of what is run after it. */
export function limitOfFiles(maxFileBytes: number): string {
  return `ulimit -f ${Math.floor(maxFileBytes / BLOCK_BYTES)}`;
}
