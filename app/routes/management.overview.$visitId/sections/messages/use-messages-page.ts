import { useSearchParams } from "@remix-run/react";
import { useSettledActionData } from "~/http/forms/use-settled-action-data";
import { paths } from "~/paths";

/** The form of a message that is being edited. */
export const editFormId = (messageId: number) => `editMessage-${messageId}`;

/**
 * Where the section's forms and links lead: the open referral with the list's own query, at the messages. `?ret=` names the message
 * that is edited; a refused edit says so itself.
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
    /** For the other forms of the section: a form that is open elsewhere in the referral stays open. */
    action: `${paths.referral(referralId)}${String(query) && `?${query}`}#beskeder`,
    /** For the message that is edited, and to leave the editing. */
    closed: `${at(null)}#beskeder`,
    /** A link to the very place one is at would only scroll: this one reads the page anew. */
    readAnew: at(null),
    editHref: (messageId: number) => `${at(messageId)}#beskeder`,
    isEdited: (messageId: number) => query.get("ret") === String(messageId) || refused === editFormId(messageId),
  };
}
