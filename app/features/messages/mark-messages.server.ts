import { z } from "zod";
import { change } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findThread, setMarks } from "./message-store.server";

/** Marks a thread as read or unread for the clinic's or the referrer's side. */
export const markMessages = change({
  name: "markMessages",
  permission: "message.write",
  input: z.object({ referralId: z.coerce.number().int(), read: z.enum(["yes", "no"]) }),
  async run({ tx, actor, auditChange }, { referralId, read }) {
    const thread = await findThread(tx, actor, referralId);
    const unread = read === "yes" ? 0 : 1;
    await setMarks(
      tx,
      thread.id,
      can(actor, "message.answer") ? { surgeon_has_unread_messages: unread } : { referrer_has_unread_messages: unread },
    );
    auditChange([referralId], `messages ${unread ? "unread" : "read"}`);
    return {};
  },
});
