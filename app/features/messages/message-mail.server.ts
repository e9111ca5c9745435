import { z } from "zod";
import { addMinutes } from "date-fns";
import { type DbOrTx, insertUnlessThere } from "~db/connection.server";
import { change, type ChangeContext } from "~/access/operation.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { text } from "~/text/fields.server";

const STAFF_ADDRESS = "messageMailAddress";
/** Whoever writes twice is often not done with the first: one mail tells of all that is written within this time. */
const WAIT_MINUTES = 1;

/** Where the clinic hears of new messages; null while staff have not set it. */
export async function readStaffAddress(db: DbOrTx): Promise<string | null> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", STAFF_ADDRESS).executeTakeFirst();
  return row?.value || null;
}

/** Sets the clinic's address for such mails; empty sends none. */
export const setStaffAddress = change({
  name: "setStaffAddress",
  permission: "message.setMail",
  input: z.object({
    address: text(254)
      .pipe(
        z.union([
          z.literal(""),
          z.email({ error: "Skriv en e-mailadresse, fx navn@eksempel.dk, eller lad feltet stå tomt." }),
        ]),
      )
      .default(""),
  }),
  async run({ tx, person, now }, { address }) {
    const row = { value: address, modified_at: toMoment(now), modifier_id: person.id };
    const isNew = await insertUnlessThere(tx, "setting", { name: STAFF_ADDRESS, ...row });
    if (!isNew) await tx.updateTable("setting").set(row).where("name", "=", STAFF_ADDRESS).execute();
    return {
      flash: {
        tone: "success" as const,
        text: address === "" ? "Der sendes ingen mail om nye beskeder." : `Nye beskeder meldes til ${address}.`,
      },
    };
  },
});

/**
 * Tells the other side that there is a message: the referral's number and a link, nothing about the patient. The mail waits a minute,
 * and a newer message takes its place.
 */
export async function notifyOtherParty(
  { tx, outbox, now, portal: { config } }: Pick<ChangeContext, "tx" | "outbox" | "now" | "portal">,
  { referralId, referrerId, isFromAdmin }: { referralId: number; referrerId: number | null; isFromAdmin: boolean },
): Promise<void> {
  const referrer = isFromAdmin && referrerId !== null ? await findReferrer(tx, referrerId) : null;
  const to = isFromAdmin ? referrer?.email : await readStaffAddress(tx);
  const kind = isFromAdmin ? "messageNews" : "messageNewsToClinic";
  await outbox.withdraw(kind, [referralId]);
  if (!to) return;
  const mail = renderMail({
    productName: config.productName,
    subject: `Ny besked om henvisning nr. ${referralId}`,
    paragraphs: [
      isFromAdmin
        ? `${config.clinicName} har skrevet en besked om henvisning nr. ${referralId}.`
        : `Henviseren har skrevet en besked om henvisning nr. ${referralId}.`,
      {
        link: `${isFromAdmin ? config.publicOrigin : config.adminOrigin}${paths.referral(referralId)}#beskeder`,
        text: "Læs beskeden",
      },
      `Af hensyn til patienten står beskeden kun i ${config.productName}, hvor du skal logge ind.`,
    ],
  });
  await outbox.email({
    kind,
    to,
    referralId,
    ...(referrer ? { userId: referrer.id } : {}),
    notBefore: addMinutes(now, WAIT_MINUTES),
    ...mail,
  });
}
