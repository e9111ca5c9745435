import { useActionData, useSearchParams } from "@remix-run/react";
import type { FormAnswer } from "~/http/command.server";
import { paths } from "~/paths";

/** The form of a message that is being edited. */
export const editFormId = (messageId: number) => `editMessage-${messageId}`;

/**
 * Where the section's forms and links lead: the open referral with the list's own query, at the messages. `?ret=` names the message
 * that is edited; a refused edit says so itself.
 */
export function useMessagesPage(referralId: number) {
  const [query] = useSearchParams();
  const refused = useActionData<FormAnswer>()?.formId;
  const at = (editedId: number | null) => {
    const next = new URLSearchParams(query);
    next.delete("ret");
    if (editedId !== null) next.set("ret", String(editedId));
    const search = next.toString();
    return `${paths.referral(referralId)}${search ? `?${search}` : ""}`;
  };
  return {
    /** For forms, and to leave the editing. */
    action: `${at(null)}#beskeder`,
    /** A link to the very place one is at would only scroll: this one reads the page anew. */
    readAnew: at(null),
    editHref: (messageId: number) => `${at(messageId)}#beskeder`,
    isEdited: (messageId: number) => query.get("ret") === String(messageId) || refused === editFormId(messageId),
  };
}
