/** The size of a block in POSIX, the unit of `ulimit -f`. */
const BLOCK_BYTES = 512;

/** A line of a shell script that limits the size of files written by the commands after it. */
export function limitOfFiles(maxFileBytes: number): string {
  return `ulimit -f ${Math.floor(maxFileBytes / BLOCK_BYTES)}`;
}
