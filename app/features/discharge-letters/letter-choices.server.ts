import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { holdReferral, logEvent } from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { updateLetter, writeDeclined } from "./discharge-letter-store.server";
import { DECLINED_TEXT } from "./letter-rules";
import { letterChanged, oneLetter, openLetter } from "./open-letter.server";

/** 'Send også som system-e-mail' of an EDI letter (PUT /TerminationLetters/edi/{id}/number/{n}). Throws `invalid` for any other letter. */
export const setEdiAsEmail = change({
  name: "setEdiAsEmail",
  permission: "dischargeLetter.manage",
  input: oneLetter.extend({
    sendEdiTerminationAsEmail: z.union([z.boolean(), z.enum(["on", "off"])]).default("off"),
  }),
  async run(context, { referralId, letterNumber, sendEdiTerminationAsEmail: wanted }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    if (letter.is_edi !== 1) throw new Refusal("invalid", { text: "Brevet sendes ikke via EDI." });
    const isOn = wanted === true || wanted === "on";
    await updateLetter(
      context.tx,
      letter.id,
      { send_edi_as_email: isOn ? 1 : 0 },
      { personId: context.person.id, now: context.now },
    );
    context.auditChange([row.id], `discharge letter ${letterNumber}`);
    return letterChanged(
      row.id,
      isOn ? "Brevet sendes også som system-e-mail." : "Brevet sendes ikke også som system-e-mail.",
    );
  },
});

/**
 * 'Patienten har frabedt sig brev til henviser': nothing more is sent to the referrer, what waits is taken back, and the letters cannot be
 * fetched on that side; or the letters may go again. Throws `notInScope`.
 */
export const declineLetters = change({
  name: "declineLetters",
  permission: "dischargeLetter.manage",
  input: z.object({ referralId: z.coerce.number().int(), declined: z.enum(["on", "off"]).default("off") }),
  async run(context, { referralId, declined }) {
    const { tx, actor, outbox, now, auditChange } = context;
    const row = await holdReferral(tx, actor, referralId);
    const isDeclined = declined === "on";
    if ((row.declines_discharge_letter === 1) === isDeclined) return letterChanged(row.id, "Intet er ændret.");
    await writeDeclined(tx, row.id, isDeclined);
    if (isDeclined) await outbox.withdraw("dischargeLetter", [row.id]);
    const event = isDeclined ? DECLINED_TEXT : "Patienten har ikke længere frabedt sig brev til henviser";
    await logEvent(tx, actor, { referralId: row.id, status: row.status, event }, now);
    invalidateCounts(context);
    auditChange([row.id], isDeclined ? "discharge letters declined" : "discharge letters no longer declined");
    return letterChanged(row.id, `${event}.`);
  },
});
