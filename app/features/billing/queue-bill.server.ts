import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { KindHooks, SettledMessage } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import {
  lockReferral,
  insertVisitLogEntry,
  type ReferralRow,
} from "~/features/referrals/details/messaged-referral.server";
import { type BillKind, ESTIMATE, insertBill } from "./bill-store.server";

export const bills = {
  invoice: { kind: "invoice", word: "Fakturaen" },
  [ESTIMATE]: { kind: "estimate", word: "Overslaget" },
} as const;

/** Queues an invoice or estimate by e-Boks for a locked referral. Throws `invalid` when e-Boks cannot be used. */
export async function queueBill(
  context: ChangeContext,
  row: ReferralRow,
  { billKind, storedFileId, resendsId }: { billKind: BillKind; storedFileId: number; resendsId?: number },
): Promise<void> {
  const { tx, actor, now, auditChange } = context;
  const { kind, word } = bills[billKind];
  const { outboxId } = await queuePatientMessage(context, {
    kind,
    channel: "eboks",
    referral: row,
    field: "billKind",
    storedFileId,
    ...(resendsId === undefined ? {} : { resendsId }),
  });
  await insertBill(tx, { referralId: row.id, outboxId, kind: billKind }, now);
  await insertVisitLogEntry(
    tx,
    actor,
    { referralId: row.id, status: row.status, event: `${word} er sat i kø (e-Boks)` },
    now,
  );
  auditChange([row.id], `${billKind} by eboks`);
}

export const billHooks: KindHooks = {
  ...patientHooks,
  async resend(context: ChangeContext, { id, kind, referralId, storedFileId }: SettledMessage) {
    if (referralId === null || storedFileId === null) throw new Refusal("invalid");
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queueBill(context, row, { billKind: kind === "invoice" ? "invoice" : ESTIMATE, storedFileId, resendsId: id });
  },
};
