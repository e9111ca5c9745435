import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { read, type ResultOf, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { findSurgeonChoices } from "~/features/directory/operations.server";
import { findFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { scanFactsOf } from "~/files/scan-gaps";
import { mayEdit } from "./operations.server";
import { findThread, findMessages, latest } from "./message-store.server";

/**
 * A referral's messages, oldest first, as the reader's side sees them. New messages are the other side's since one's
 * own last, while marked unread. Throws `notInScope`.
 */
export const readMessages = read({
  name: "readMessages",
  permission: "referral.read",
  input: z.object({ referralId: wholeNumber.positive() }),
  async run({ db, person, auditRead }, { referralId }) {
    const referral = await findThread(db, person, referralId);
    auditRead([referralId]);
    const files = await findFiles(db, referral.id);
    const referrer = referral.referrer_id === null ? null : await findReferrer(db, referral.referrer_id);
    return messagesOf(db, person, referral, { files, referrer });
  },
});

/** `files` and `referrer` are the referral's own. */
export async function messagesOf(
  db: DbOrTx,
  person: Person,
  referral: Thread,
  { files, referrer }: { files: readonly ReferralFile[]; referrer: { email: string } | null },
) {
  const isClinic = can(person, "message.answer");
  const rows = await findMessages(db, referral.id);
  const isUnread = (isClinic ? referral.surgeon_has_unread_messages : referral.referrer_has_unread_messages) === 1;
  const isOwnSide = (row: { is_from_admin: number }) => (row.is_from_admin === 1) === isClinic;
  const lastOwn = rows.map(isOwnSide).lastIndexOf(true);
  const attached = new Map<number | null, ReferralFile[]>(rows.map(({ id }) => [id, []]));
  for (const file of files) attached.get(file.messageId)?.push(file);
  const items = rows.map((row, index) => ({
    id: row.id,
    version: row.version,
    isOwnSide: isOwnSide(row),
    isNew: isUnread && index > lastOwn,
    isFromClinic: row.is_from_admin === 1,
    authorName: row.author_name,
    createdAt: row.created_at,
    editedAt: row.edited_at,
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
    changedAt: rows.reduce<string | null>((newest, row) => latest(newest, latest(row.created_at, row.edited_at)), null),
    clinic: isClinic
      ? { ...(await clinicPart(db, referral, person)), notifiesReferrer: Boolean(referrer?.email) }
      : null,
  };
}

type Thread = Awaited<ReturnType<typeof findThread>>;

export type Messages = ResultOf<typeof readMessages>;

/** For the clinic only: the surgeon in charge. */
async function clinicPart(db: DbOrTx, referral: Thread, person: Person) {
  const surgeons = await findSurgeonChoices(db, referral.surgeon_id);
  return {
    surgeonId: referral.surgeon_id,
    surgeons,
    mayTakeAs:
      referral.surgeon_id !== person.id && surgeons.some(({ value }) => value === person.id) ? person.id : null,
  };
}
