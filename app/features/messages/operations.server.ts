import { z } from "zod";
import {
  change,
  type ChangeContext,
  wholeNumber,
  read,
  type ResultOf,
  succeeded,
  keyedForm,
  ofReferral,
} from "~/access/operation.server";
import { rowIdIn } from "~/access/edit.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { radiographTypes, arrivedType, isMistyped, uploadOf } from "~/files/file-rules";
import { claimStagedFiles, type StagedFile } from "~/files/staging/staged-upload-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { applySurgeon } from "~/features/referrals/details/operations.server";
import {
  attachToMessage,
  attachmentsOf,
  retainAttachments,
  type TypedRadiograph,
} from "~/features/referrals/images/message-files.server";
import { text } from "~/text/fields.server";
import { MESSAGE_LIMIT, SENT_MESSAGE_LIMIT } from "~/text/limits";
import { notifyOtherParty } from "./message-mail.server";
import {
  countFromReferrer,
  findMessage,
  hasNewer,
  findThread,
  insertMessage,
  setMarks,
  updateMessage,
  findMessages,
  latest,
} from "./message-store.server";
import { messageText, OTHER_FILES, RADIOGRAPHS } from "./messages";
import { type Person, personName } from "~/access/actor";
import { backTo } from "~/features/accounts/return-path";
import type { DbOrTx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { type ReceivedFiles, refusedFileTexts } from "~/access/caller";
import { WRONG_TYPE_TEXT } from "~/files/file-texts";
import { findReferrer, findSurgeonChoices } from "~/features/directory/operations.server";
import { findFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { scanFactsOf } from "~/files/scan-gaps";

const attachmentUploads = { attachments: uploadOf("attachment") };

const messageUploads = {
  ...attachmentUploads,
  radiographs: uploadOf("radiograph"),
};

/** Throws `fileRefused` naming each refused file; the others stay with the form. */
function refuseNamingFiles(files: ReceivedFiles | undefined): void {
  const fields = refusedFileTexts(files);
  if (Object.keys(fields).length > 0)
    throw new Refusal("fileRefused", { text: Object.values(fields).flat().join(" "), fields });
}

/**
 * Assigns radiograph types in the order the files were chosen; files without one get the first. Files kept from an
 * earlier try come first and have lost theirs. Throws `fileRefused` for a picture chosen as DICOM; the file stays with
 * the form.
 */
function typeRadiographs(files: StagedFile[], types: number[], arrived: number): TypedRadiograph[] {
  const waited = files.length - arrived;
  const chosen = files.map((file, index) => ({
    ...file,
    radiographType: index < waited ? 0 : (types[index - waited] ?? types[0] ?? 0),
  }));
  const wrong = chosen.filter(({ fileName, radiographType }) => isMistyped(fileName, radiographType));
  if (wrong.length > 0) {
    const texts = wrong.map((file) => `${file.fileName}: ${WRONG_TYPE_TEXT} Vælg en anden billedtype.`);
    throw new Refusal("fileRefused", { text: texts.join(" "), fields: { radiographs: texts } });
  }
  return chosen.map((file) => ({ ...file, radiographType: arrivedType(file.fileName, file.radiographType) }));
}

const marksOfReferrers = {
  hasUnansweredMessage: true,
  surgeonHasUnreadMessages: true,
  referrerHasUnreadMessages: false,
} as const;

/** What the other side wrote and nobody has seen stays unread and unanswered. */
function marksAfter({ isFromAdmin, isUnseen }: { isFromAdmin: boolean; isUnseen: boolean }) {
  const { hasUnansweredMessage, surgeonHasUnreadMessages } = marksOfReferrers;
  if (!isFromAdmin) return isUnseen ? { hasUnansweredMessage, surgeonHasUnreadMessages } : marksOfReferrers;
  const seen = isUnseen ? {} : { hasUnansweredMessage: false, surgeonHasUnreadMessages: false };
  return { ...seen, referrerHasUnreadMessages: true };
}

/** Every page of a referral reads its whole thread. */
const MAX_FROM_REFERRER = 500;

const isType = (value: number) => radiographTypes.some((type) => type.value === value);

const alreadyThere = (name: string) => `${name} var allerede vedhæftet henvisningen og er ikke tilføjet igen.`;

/**
 * Writes a message (POST /Visits/{id}/messages). `attachmentType` 0 'Røntgen' needs a file and adds radiographs to the
 * referral; 1 'Andre filer' needs text or a file. A referrer's message marks the referral as unanswered, the clinic's
 * as answered; the writer's side has read what their page showed. Mails the other side. Throws `notInScope`, `notAllowed`, `invalid`,
 * `fileRefused`, and `conflict` beyond the referrer's number of messages.
 */
export const writeMessage = change({
  name: "writeMessage",
  permission: "message.write",
  idempotent: true,
  uploads: messageUploads,
  newest: "messageId",
  input: ofReferral.extend({
    ...keyedForm.shape,
    newestShown: wholeNumber.optional(),
    text: text(MESSAGE_LIMIT).default(""),
    attachmentType: z.coerce
      .number()
      .int()
      .refine((value) => value === RADIOGRAPHS || value === OTHER_FILES, "Vælg Røntgen eller Andre filer.")
      .default(OTHER_FILES),
    surgeonId: z.number().int().optional(),
    radiographType: z.array(wholeNumber.refine(isType, "Vælg en billedtype.")).default([]),
  }),
  async run(context, input) {
    const { tx, actor, person, now, caller, auditChange } = context;
    const { referralId, attachmentType, surgeonId } = input;
    if (surgeonId !== undefined && !can(actor, "referral.editSent")) throw new Refusal("notAllowed");
    const thread = await findThread(tx, actor, referralId);
    refuseNamingFiles(caller.files);
    const staged = await claimStagedFiles(
      tx,
      { ownerId: person.id, formKey: input.formKey, fields: Object.keys(messageUploads) },
      now,
    );
    const images = staged.filter((file) => file.kind === "radiograph");
    const attachments = staged.filter((file) => file.kind === "attachment");
    if (attachmentType === RADIOGRAPHS && images.length === 0) {
      throw new Refusal("invalid", {
        text: "Vælg mindst ét røntgenbillede, eller vælg »Andre filer«.",
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
    if (!isFromAdmin && (await countFromReferrer(tx, thread.id)) >= MAX_FROM_REFERRER)
      throw new Refusal("conflict", {
        text: `Der er skrevet ${MAX_FROM_REFERRER} beskeder til klinikken om henvisningen, og der kan ikke skrives flere. Ring til klinikken.`,
      });
    const words = messageText(
      input.text,
      radiographs.map((file) => file.fileName),
    );
    const author = { id: person.id, name: personName(person) };
    const { newestShown: newestSeenId } = input;
    const isUnseen =
      newestSeenId !== undefined && (await hasNewer(tx, thread.id, { isFromAdmin: !isFromAdmin, newestSeenId }));
    const messageId = await insertMessage(
      tx,
      { referralId: thread.id, author, isFromAdmin, text: words, newestSeenId },
      now,
    );
    const there = await attachToMessage(context, { referralId: thread.id, messageId }, { radiographs, attachments });
    await setMarks(tx, thread.id, marksAfter({ isFromAdmin, isUnseen }));
    await notifyOtherParty(context, { referralId, referrerId: thread.referrerId, isFromAdmin });
    auditChange([referralId], `message ${messageId}`);
    if (surgeonId !== undefined) {
      const { version } = await findReferral(tx, actor, referralId);
      await applySurgeon(context, { referralId, surgeonId, seenVersion: version });
    }
    const unseen = isUnseen ? ["Der er kommet en ny besked, mens du skrev."] : [];
    return succeeded(["Beskeden er sendt.", ...unseen, ...there.map(alreadyThere)].join(" "));
  },
});

const messageGone = () => new Refusal("notInScope", { text: "Beskeden findes ikke, eller du kan ikke rette den." });

function mayEdit(person: Person, message: { isFromAdmin: boolean; authorId: number }): boolean {
  return can(person, "message.answer") ? message.isFromAdmin : !message.isFromAdmin && message.authorId === person.id;
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
  edit: {
    async read({ db, actor }, field) {
      const thread = await findThread(db, actor, rowIdIn(field("referralId")));
      const message = await findMessage(db, thread.id, rowIdIn(field("messageId")));
      if (!message) throw messageGone();
      const keep = await attachmentsOf(db, thread.id, message.id);
      return { values: { text: message.text, keep: keep.map(String) }, version: message.version };
    },
  },
  input: ofReferral.extend({
    ...keyedForm.shape,
    messageId: wholeNumber,
    seenVersion: wholeNumber.optional(),
    text: text(SENT_MESSAGE_LIMIT).default(""),
    keep: z.array(wholeNumber).default([]),
    to: z.string().optional(),
  }),
  async run(context, { referralId, messageId, seenVersion, formKey, text: words, keep, to }) {
    const { tx, actor, person, now, caller, portal, auditChange } = context;
    const thread = await findThread(tx, actor, referralId);
    const message = await findMessage(tx, thread.id, messageId);
    if (!message || !mayEdit(person, message)) throw messageGone();
    refuseNamingFiles(caller.files);
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
      ...backTo(to),
      ...succeeded("Beskeden er rettet."),
    };
  },
});

/** Marks a thread as read or unread for the actor's side. Messages that came after their page was drawn stay unread. */
export const markMessages = change({
  name: "markMessages",
  permission: "message.write",
  newest: "messageId",
  input: z.object({ referralId: wholeNumber, read: z.enum(["yes", "no"]), newestShown: wholeNumber.optional() }),
  async run({ tx, actor, auditChange }, { referralId, read: isRead, newestShown: newestSeenId }) {
    const thread = await findThread(tx, actor, referralId);
    const unread = isRead === "no";
    const isFromAdmin = !can(actor, "message.answer");
    if (!unread && newestSeenId !== undefined && (await hasNewer(tx, thread.id, { isFromAdmin, newestSeenId })))
      return {
        flash: {
          tone: "info" as const,
          text: "Der er kommet en ny besked, siden siden blev vist. Læs den, og tryk igen.",
        },
      };
    await setMarks(
      tx,
      thread.id,
      can(actor, "message.answer") ? { surgeonHasUnreadMessages: unread } : { referrerHasUnreadMessages: unread },
    );
    auditChange([referralId], `messages ${unread ? "unread" : "read"}`);
    return {};
  },
});

/** Adds the referrer's message from another channel to the thread as unread and unanswered, and notifies the clinic. */
export async function receiveMessage(
  context: ChangeContext,
  { referralId, authorName, text: received }: { referralId: ScopedReferralId; authorName: string; text: string },
): Promise<void> {
  const { tx, now } = context;
  const author = { id: 0, name: authorName.slice(0, 201) };
  const message = { referralId, author, isFromAdmin: false, text: received.slice(0, MESSAGE_LIMIT) };
  await insertMessage(tx, message, now);
  await setMarks(tx, referralId, marksOfReferrers);
  await notifyOtherParty(context, { referralId, referrerId: null, isFromAdmin: false });
}

/**
 * A referral's messages, oldest first, as the reader's side sees them. New messages are the other side's since one's
 * own last, or that it did not show, while marked unread. Throws `notInScope`.
 */
export const readMessages = read({
  name: "readMessages",
  permission: "referral.read",
  input: z.object({ referralId: wholeNumber.positive() }),
  async run({ db, person, auditRead }, { referralId }) {
    const referral = await findThread(db, person, referralId);
    auditRead([referralId]);
    const files = await findFiles(db, referral.id);
    const referrer = referral.referrerId === null ? null : await findReferrer(db, referral.referrerId);
    return messagesOf(db, person, referral, { files, referrer });
  },
});

export async function messagesOf(
  db: DbOrTx,
  person: Person,
  referral: Thread,
  { files, referrer }: { files: readonly ReferralFile[]; referrer: { email: string } | null },
) {
  const isClinic = can(person, "message.answer");
  const rows = await findMessages(db, referral.id);
  const isUnread = isClinic ? referral.surgeonHasUnreadMessages : referral.referrerHasUnreadMessages;
  const isOwnSide = (row: { isFromAdmin: boolean }) => row.isFromAdmin === isClinic;
  const lastOwn = rows.findLast(isOwnSide);
  const newestSeenId = lastOwn?.newestSeenId ?? lastOwn?.id ?? 0;
  const attached = new Map<number | null, ReferralFile[]>(rows.map(({ id }) => [id, []]));
  for (const file of files) attached.get(file.messageId)?.push(file);
  const items = rows.map((row) => ({
    id: row.id,
    version: row.version,
    isOwnSide: isOwnSide(row),
    isNew: isUnread && !isOwnSide(row) && row.id > newestSeenId,
    isFromClinic: row.isFromAdmin,
    authorName: row.authorName,
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    text: row.text,
    mayEdit: mayEdit(person, row),
    attachments: attached.get(row.id)!.map(({ id, fileName, sizeBytes, scanState }) => ({
      id,
      name: fileName,
      sizeBytes,
      ...scanFactsOf([scanState], can(person, "referral.readInternal")),
    })),
  }));
  return {
    items,
    isUnread,
    newCount: items.filter((item) => item.isNew).length,
    changedAt: rows.reduce<string | null>((newest, row) => latest(newest, latest(row.createdAt, row.editedAt)), null),
    clinic: isClinic
      ? { ...(await clinicPart(db, referral, person)), notifiesReferrer: Boolean(referrer?.email) }
      : null,
  };
}

type Thread = Awaited<ReturnType<typeof findThread>>;

export type Messages = ResultOf<typeof readMessages>;

async function clinicPart(db: DbOrTx, referral: Thread, person: Person) {
  const surgeons = await findSurgeonChoices(db, referral.surgeonId);
  return {
    surgeonId: referral.surgeonId,
    surgeons,
    mayTakeAs: referral.surgeonId !== person.id && surgeons.some(({ value }) => value === person.id) ? person.id : null,
  };
}
