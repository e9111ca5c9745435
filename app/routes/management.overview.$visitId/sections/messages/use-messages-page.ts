import { useSearchParams } from "@remix-run/react";
import { useSettledActionData } from "~/http/forms/use-settled-action-data";
import { paths } from "~/paths";

export const editFormId = (messageId: number) => `editMessage-${messageId}`;

/**
 * Addresses of the section's forms: the open referral at its messages, with the list's query. `?ret=` names the message
 * being edited.
 */
export function useMessagesPage(referralId: number) {
  const [query] = useSearchParams();
  const refused = useSettledActionData()?.formId;
  const at = (editedId: number | null) => {
    const next = new URLSearchParams(query);
    next.delete("ret");
    if (editedId !== null) next.set("ret", String(editedId));
    const search = next.toString();
    return `${paths.referral(referralId)}${search ? `?${search}` : ""}`;
  };
  return {
    action: `${paths.referral(referralId)}${String(query) && `?${query}`}#beskeder`,
    closed: `${at(null)}#beskeder`,
    /** A link to the present address would only scroll; this one reloads. */
    readAnew: at(null),
    editHref: (messageId: number) => `${at(messageId)}#beskeder`,
    isEdited: (messageId: number) => query.get("ret") === String(messageId) || refused === editFormId(messageId),
  };
}
