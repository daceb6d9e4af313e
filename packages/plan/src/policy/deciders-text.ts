/** Describes who may decide an approval, for the dashboard and the CLI. */

/** Returns a sentence that names who may approve; undefined if every key of the tenant may. */
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
