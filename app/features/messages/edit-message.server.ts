import { z } from "zod";
import type { Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { attachToMessage, retainAttachments } from "~/features/referrals/images/message-files.server";
import { text } from "~/text/fields.server";
import { SENT_MESSAGE_LIMIT } from "~/text/limits";
import { findThread, findMessage, updateMessage } from "./message-store.server";
import { attachmentUploads, refuseBadFiles } from "./message-uploads.server";
import { messageText } from "./messages";

/** Staff may edit all messages of the clinic, others their own. */
export function mayEdit(person: Person, message: { is_from_admin: number; author_id: number }): boolean {
  return can(person, "message.answer")
    ? message.is_from_admin === 1
    : message.is_from_admin === 0 && message.author_id === person.id;
}

/**
 * Edits a message and its attachments (PUT /Visits/{id}/messages/{mid}): those in `keep` stay, new ones are added.
 * Throws `notInScope` (also for others' messages), `conflict`, `invalid` and `fileRefused`.
 */
export const editMessage = change({
  name: "editMessage",
  permission: "message.write",
  idempotent: true,
  uploads: attachmentUploads,
  input: z.object({
    referralId: z.coerce.number().int(),
    messageId: z.coerce.number().int(),
    seenVersion: z.coerce.number().int().optional(),
    formKey: z.string().max(64),
    text: text(SENT_MESSAGE_LIMIT).default(""),
    keep: z.array(z.coerce.number().int()).default([]),
    /** Redirect after saving; the form stays at its address until then. */
    to: z.string().optional(),
  }),
  async run(context, { referralId, messageId, seenVersion, formKey, text: words, keep, to }) {
    const { tx, actor, person, now, caller, portal, auditChange } = context;
    const thread = await findThread(tx, actor, referralId);
    const message = await findMessage(tx, thread.id, messageId);
    if (!message || !mayEdit(person, message))
      throw new Refusal("notInScope", { text: "Beskeden findes ikke, eller du kan ikke rette den." });
    refuseBadFiles(caller.files);
    const attachments = await claimStagedFiles(
      tx,
      { ownerId: person.id, formKey, fields: Object.keys(attachmentUploads) },
      now,
    );
    const retained = await retainAttachments(
      tx,
      { referralId: thread.id, messageId },
      keep,
      now,
      portal.config.filePurgeDays,
    );
    if (words === "" && retained + attachments.length === 0)
      throw new Refusal("invalid", { fields: { text: ["Skriv en besked, eller vedhæft en fil."] } });
    await updateMessage(tx, {
      id: messageId,
      seenVersion: seenVersion ?? message.version,
      text: messageText(words, []),
      now,
    });
    await attachToMessage(context, { referralId: thread.id, messageId }, { radiographs: [], attachments });
    auditChange([referralId], `message ${messageId} edited`);
    return {
      ...(to === undefined ? {} : { to: safeReturn(to) }),
      flash: { tone: "success" as const, text: "Beskeden er rettet." },
    };
  },
});
