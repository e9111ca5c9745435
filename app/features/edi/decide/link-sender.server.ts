import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findReferrers } from "~/features/directory/find-referrers.server";
import { senderKeyOf } from "~/features/edi/place/find-sender.server";
import { linkSender } from "~/features/edi/store/edi-sender-store.server";
import { applyReferrer } from "~/features/referrals/details/change-referrer.server";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { requiredLine } from "~/text/fields.server";
import { ediMessageInput, openMessage, flashOf } from "./open-message.server";

/**
 * 'Kobl afsender': assigns a referrer to a sender, for this referral if it has none and for later messages. Throws
 * `conflict`, and `invalid` unless exactly one referrer matches.
 */
export const linkEdiSender = change({
  name: "linkEdiSender",
  permission: "edi.manage",
  input: ediMessageInput.extend({ referrer: requiredLine("Skriv henviserens navn.", 100) }),
  async run(context, { messageId, referrer: words }) {
    const { tx, person, actor, now } = context;
    const { content, referral_id: referralId } = await openMessage(context, messageId, ["imported"]);
    const letter = content?.letter;
    const senderKey = letter?.kind === "referral" ? senderKeyOf(letter) : null;
    if (senderKey === null || referralId === null)
      throw new Refusal("conflict", {
        text: "Afsenderen har ikke både et nummer og et lokationsnummer, så den kan ikke kendes igen.",
      });
    const found = await findReferrers(tx, person, words, 5);
    const [only, other] = found;
    if (only === undefined || other !== undefined)
      throw new Refusal("invalid", {
        fields: {
          referrer: [
            only === undefined
              ? "Ingen aktiv henviser passer. Skriv dele af navnet eller klinikkens navn."
              : `Flere passer: ${found.map(({ name, clinicName }) => `${name} (${clinicName})`).join(", ")}. Skriv mere af navnet.`,
          ],
        },
      });
    await linkSender(tx, { senderKey, referrerId: only.id, personId: person.id, now });
    const referral = await findReferral(tx, actor, referralId);
    if (referral.referrer_id === null)
      await applyReferrer(context, {
        referralId,
        seenVersion: referral.version,
        referrerId: only.id,
        changeClinic: only.clinicId === null ? undefined : "on",
        clinicId: only.clinicId ?? undefined,
      });
    return { flash: flashOf(messageId, `afsenderen er koblet til ${only.name}.`) };
  },
});
