import { randomUUID } from "node:crypto";
import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { ScopedReferralId } from "~/access/scope.server";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { findSurgeons } from "~/features/directory/find-surgeons.server";
import { isoMoment } from "~/text/dates";
import { mayEdit } from "./edit-message.server";
import { readStaffAddress } from "./message-mail.server";
import { findMessages, latest } from "./message-store.server";

interface ThreadReferral {
  id: ScopedReferralId;
  referrer_id: number | null;
  surgeon_id: number | null;
  surgeon_has_unread_messages: number;
  referrer_has_unread_messages: number;
}

interface File {
  id: number;
  messageId: number | null;
  fileName: string;
  sizeBytes: number;
  scanState: string;
}

/**
 * The dialogue of a referral that has been found in the person's scope, oldest message first, as his side sees it. New are the other
 * side's messages since his own side's last one, while they are marked unread.
 */
export async function readThread(db: DbOrTx, person: Person, referral: ThreadReferral, files: File[]) {
  const isClinic = can(person, "message.answer");
  const rows = await findMessages(db, referral.id);
  const isUnread = (isClinic ? referral.surgeon_has_unread_messages : referral.referrer_has_unread_messages) === 1;
  const isOwnSide = (row: { is_from_admin: number }) => (row.is_from_admin === 1) === isClinic;
  const lastOwn = rows.map(isOwnSide).lastIndexOf(true);
  const items = rows.map((row, index) => ({
    id: row.id,
    version: row.version,
    isOwnSide: isOwnSide(row),
    isNew: isUnread && index > lastOwn,
    isFromClinic: row.is_from_admin === 1,
    authorName: row.author_name,
    createdAt: isoMoment(row.created_at),
    editedAt: row.edited_at === null ? null : isoMoment(row.edited_at),
    text: row.text,
    mayEdit: mayEdit(person, row),
    attachments: files
      .filter((file) => file.messageId === row.id)
      .map((file) => ({
        id: file.id,
        name: file.fileName,
        sizeBytes: file.sizeBytes,
        isScanned: file.scanState === "clean",
      })),
  }));
  return {
    items,
    isUnread,
    newCount: items.filter((item) => item.isNew).length,
    ownCount: rows.filter((row) => row.author_id === person.id).length,
    changedAt: rows.reduce<string | null>((newest, row) => latest(newest, latest(row.created_at, row.edited_at)), null),
    formKey: randomUUID(),
    clinic: isClinic ? await clinicPart(db, referral) : null,
  };
}

/** What the clinic alone sees: who leads the dialogue, and who hears of new messages. */
async function clinicPart(db: DbOrTx, referral: ThreadReferral) {
  const referrer = referral.referrer_id === null ? null : await findReferrer(db, referral.referrer_id);
  const surgeons = await findSurgeons(db, referral.surgeon_id);
  return {
    surgeonId: referral.surgeon_id,
    surgeons: surgeons.map(({ id, name }) => ({ value: id, label: name })),
    tellsReferrer: Boolean(referrer?.email),
    staffAddress: await readStaffAddress(db),
  };
}

export type Thread = Awaited<ReturnType<typeof readThread>>;
