import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { insertVisitLogEntry, lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { findLetterMessage } from "./appointment-letter-store.server";

/** 'Annullér': withdraws an unsent letter. Throws `conflict` once it has begun to leave, and `notInScope`. */
export const withdrawAppointmentLetter = change({
  name: "withdrawAppointmentLetter",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int(), letterId: z.coerce.number().int() }),
  async run({ tx, actor, outbox, now, auditChange }, { referralId, letterId }) {
    const row = await lockReferral(tx, actor, referralId);
    const outboxId = await findLetterMessage(tx, row.id, letterId);
    if (!outboxId || !(await outbox.withdrawMessage(outboxId)))
      throw new Refusal("conflict", {
        text: "Behandlingstiden er ved at blive sendt, eller er sendt, og kan ikke tages tilbage.",
      });
    await insertVisitLogEntry(
      tx,
      actor,
      { referralId: row.id, status: row.status, event: "Behandlingstid annulleret" },
      now,
    );
    auditChange([row.id], "appointment letter withdrawn");
    return { flash: { tone: "success" as const, text: "Behandlingstiden er annulleret." } };
  },
});
