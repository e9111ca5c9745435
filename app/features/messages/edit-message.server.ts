import { z } from "zod";
import { isStaff, type Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { claimHeldFiles } from "~/features/images/held-uploads.server";
import { attachToMessage, keepAttachments } from "~/features/referrals/message-files.server";
import { text } from "~/text/fields.server";
import { findDialogue, findMessage, updateMessage } from "./message-store.server";
import { attachmentUploads, refuseBadFiles } from "./message-uploads.server";
import { messageText } from "./messages";

/** Staff edit the clinic's messages, whoever wrote them; everybody else his own (specification 1 §6). */
export function mayEdit(person: Person, message: { is_from_admin: number; author_id: number }): boolean {
  return isStaff(person) ? message.is_from_admin === 1 : message.is_from_admin === 0 && message.author_id === person.id;
}

/**
 * Changes a message's words and its attachments (specification 1 §7, PUT /Visits/{id}/messages/{mid}): those in `keep` stay, new ones
 * are added. Somebody else's message is not there to edit. Throws `notInScope`, `conflict`, `invalid` and `fileRefused`.
 */
export const editMessage = change({
  name: "editMessage",
  permission: "message.write",
  once: true,
  uploads: attachmentUploads,
  input: z.object({
    referralId: z.coerce.number().int(),
    messageId: z.coerce.number().int(),
    /** Absent: the last one wins (design/decisions.md, Times, text, numbers, races). */
    seenVersion: z.coerce.number().int().optional(),
    formKey: z.string().max(64),
    text: text(12_000).default(""),
    keep: z.array(z.coerce.number().int()).default([]),
  }),
  async run(context, { referralId, messageId, seenVersion, formKey, text: words, keep }) {
    const { tx, actor, person, now, caller, portal, touched } = context;
    await findDialogue(tx, actor, referralId);
    const message = await findMessage(tx, referralId, messageId);
    if (!message || !mayEdit(person, message)) throw new Refusal("notInScope");
    refuseBadFiles(caller.files);
    const attachments = (await claimHeldFiles(tx, person.id, formKey, now)).filter((file) => file.kind === "attachment");
    const kept = await keepAttachments(tx, { referralId, messageId }, keep, now, portal.config.filePurgeDays);
    if (words === "" && kept + attachments.length === 0) throw new Refusal("invalid", { fields: { text: ["Skriv en besked, eller vedhæft en fil."] } });
    await updateMessage(tx, { id: messageId, seenVersion: seenVersion ?? message.version, text: messageText(words, []), now });
    await attachToMessage(context, { referralId, messageId }, { radiographs: [], attachments });
    touched([referralId], `message ${messageId} edited`);
    return { flash: { tone: "success" as const, text: "Beskeden er rettet." } };
  },
});
