import { z } from "zod";
import { change } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { radiographTypes } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { applySurgeon } from "~/features/referrals/details/operations.server";
import { attachToMessage } from "~/features/referrals/images/message-files.server";
import { text } from "~/text/fields.server";
import { MESSAGE_LIMIT } from "~/text/limits";
import { notifyOtherParty } from "./message-mail.server";
import { findThread, insertMessage, setMarks } from "./message-store.server";
import { messageUploads, refuseBadFiles, typeRadiographs } from "./message-uploads.server";
import { messageText, OTHER_FILES, RADIOGRAPHS } from "./messages";

const isType = (value: number) => radiographTypes.some((type) => type.value === value);

const alreadyThere = (name: string) => `${name} var allerede vedhæftet henvisningen og er ikke tilføjet igen.`;

/**
 * Writes a message (POST /Visits/{id}/messages). `attachmentType` 0 'Røntgen' needs a file and adds radiographs to the
 * referral; 1 'Andre filer' needs text or a file. A referrer's message marks the referral as unanswered, the clinic's
 * as answered; the writer's side has read. Mails the other side. Throws `notInScope`, `notAllowed`, `invalid` and
 * `fileRefused`.
 */
export const writeMessage = change({
  name: "writeMessage",
  permission: "message.write",
  idempotent: true,
  uploads: messageUploads,
  input: z.object({
    referralId: z.coerce.number().int(),
    formKey: z.string().max(64),
    text: text(MESSAGE_LIMIT).default(""),
    attachmentType: z.coerce
      .number()
      .int()
      .refine((value) => value === RADIOGRAPHS || value === OTHER_FILES, "Vælg Røntgen eller Andre filer.")
      .default(OTHER_FILES),
    /** The surgeon in charge from now on; staff only. */
    surgeonId: z.number().int().optional(),
    radiographType: z.array(z.coerce.number().int().refine(isType, "Vælg en billedtype.")).default([]),
  }),
  async run(context, input) {
    const { tx, actor, person, now, caller, auditChange } = context;
    const { referralId, attachmentType, surgeonId } = input;
    if (surgeonId !== undefined && !can(actor, "referral.editSent")) throw new Refusal("notAllowed");
    const thread = await findThread(tx, actor, referralId);
    refuseBadFiles(caller.files);
    const staged = await claimStagedFiles(
      tx,
      { ownerId: person.id, formKey: input.formKey, fields: Object.keys(messageUploads) },
      now,
    );
    const images = staged.filter((file) => file.kind === "radiograph");
    const attachments = staged.filter((file) => file.kind === "attachment");
    if (attachmentType === RADIOGRAPHS && images.length === 0) {
      throw new Refusal("invalid", {
        text: "Vælg mindst ét røntgenbillede, eller vælg 'Andre filer'.",
        fields: { radiographs: ["Vælg mindst én fil."] },
      });
    }
    if (input.text === "" && staged.length === 0)
      throw new Refusal("invalid", { fields: { text: ["Skriv en besked, eller vedhæft en fil."] } });
    const arrived = caller.files
      ? images.filter((file) => caller.files?.staged.includes(file.id)).length
      : images.length;
    const radiographs = typeRadiographs(images, input.radiographType, arrived);
    const isFromAdmin = can(actor, "message.answer");
    const words = messageText(
      input.text,
      radiographs.map((file) => file.fileName),
    );
    const messageId = await insertMessage(tx, {
      referralId: thread.id,
      author: person,
      isFromAdmin,
      text: words,
      now,
    });
    const there = await attachToMessage(context, { referralId: thread.id, messageId }, { radiographs, attachments });
    await setMarks(
      tx,
      thread.id,
      isFromAdmin
        ? { has_unanswered_message: 0, surgeon_has_unread_messages: 0, referrer_has_unread_messages: 1 }
        : { has_unanswered_message: 1, surgeon_has_unread_messages: 1, referrer_has_unread_messages: 0 },
    );
    await notifyOtherParty(context, { referralId, referrerId: thread.referrer_id, isFromAdmin });
    auditChange([referralId], `message ${messageId}`);
    if (surgeonId !== undefined) {
      const { version } = await findReferral(tx, actor, referralId);
      await applySurgeon(context, { referralId, surgeonId, seenVersion: version });
    }
    return { flash: { tone: "success" as const, text: ["Beskeden er sendt.", ...there.map(alreadyThere)].join(" ") } };
  },
});
