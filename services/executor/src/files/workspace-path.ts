import { z } from "zod";

const PATH_CHARS_MAX = 200;
const PART_BYTES_MAX = 100;

/**
 * A path inside a plan's workspace: relative, with `/` as separator, and valid on every system.
 *
 * Anything that some system could interpret as leaving the workspace is rejected, not repaired: `..`, a leading `/`, a backslash,
 * a drive, control characters, device names, and a dot or space at the end of a part.
 */
export const WorkspacePath = z
  .string()
  .min(1)
  .max(PATH_CHARS_MAX)
  .superRefine((path, context) => {
    const fault = faultOf(path);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\\:*?"<>|\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

function faultOf(path: string): string | undefined {
  if (!path.isWellFormed() || path !== path.normalize("NFC")) return "wanted text in Unicode's composed form";
  if (FORBIDDEN.test(path)) return 'wanted no control characters and none of \\ : * ? " < > |';
  if (path.startsWith("/")) return "wanted a relative path";
  for (const part of path.split("/")) {
    if (part === "") return "wanted a name between slashes";
    if (part === "." || part === "..") return "wanted no . or .. in the path";
    if (/[. ]$/.test(part) || part.startsWith(" "))
      return "wanted no part that begins or ends in a space or ends in a dot";
    if (DEVICE.test(part)) return `wanted no device name, got ${part}`;
    if (Buffer.byteLength(part) > PART_BYTES_MAX) return `wanted parts of at most ${PART_BYTES_MAX} bytes`;
  }
  return undefined;
}
