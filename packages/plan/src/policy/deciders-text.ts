/** Who may decide an approval, in words: for the page and the command line. */

/** Returns a sentence that says who may approve; undefined when every key of the tenant may. */
export function decidersText({
  approvers,
  submitterMayApprove,
}: {
  readonly approvers?: readonly string[] | undefined;
  readonly submitterMayApprove?: false | undefined;
}): string | undefined {
  if (approvers === undefined)
    return submitterMayApprove === false ? "May be approved by anyone but the submitter." : undefined;
  const names = approvers.length === 0 ? "nobody" : approvers.join(", ");
  return `May be approved by ${names}${submitterMayApprove === false ? ", but not by the submitter" : ""}.`;
}
