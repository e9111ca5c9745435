import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { type ChannelName, channelLabels } from "~/features/delivery/delivery-outcome";
import { findOutboxMessage } from "~/features/delivery/read-message.server";
import { contactFields, type PatientContactInput } from "~/features/referrals/details/contact.schema.server";
import { refuseTakenContact, saveContact } from "~/features/referrals/details/save-contact.server";
import { optionalEmail, optionalMobilePhone } from "~/text/fields.server";
import { formIdOf, openFailure, resend } from "./handle-failure.server";

/** Referral field of a channel's recipient that can be corrected here. */
const fieldOf: Partial<Record<ChannelName, "patientMobilePhone" | "patientEmail">> = {
  sms: "patientMobilePhone",
  email: "patientEmail",
};

export const correctableField = (channel: ChannelName) => fieldOf[channel] ?? null;

const input = z
  .object({
    messageId: z.coerce.number<unknown>().int().positive(),
    patientMobilePhone: optionalMobilePhone,
    patientEmail: optionalEmail,
  })
  .superRefine(({ patientMobilePhone, patientEmail }, context) => {
    if (patientMobilePhone === null && patientEmail === null)
      for (const path of ["patientMobilePhone", "patientEmail"])
        context.addIssue({ code: "custom", path: [path], message: "Feltet skal udfyldes." });
  });

/** Changes only this field and keeps the referral's others. */
function contactInput(
  referralId: number,
  field: "patientMobilePhone" | "patientEmail",
  value: string,
): PatientContactInput {
  const empty = Object.fromEntries(contactFields.map((each) => [each, null])) as Record<
    (typeof contactFields)[number],
    null
  >;
  return { ...empty, referralId, [field]: value, unchanged: contactFields.filter((each) => each !== field) };
}

/**
 * 'Gem og send igen': corrects the number or address on the referral and resends the message, both or neither. Throws
 * `patientEmailTaken`, `conflict` and what the kind refuses.
 */
export const correctAndResend = external({
  name: "correctAndResend",
  permission: "patientMessage.send",
  idempotent: true,
  input,
  async prepare(context, { messageId, patientMobilePhone, patientEmail }) {
    const row = await findOutboxMessage(context.db, messageId);
    const channel = row?.channel as ChannelName | undefined;
    const field = channel === undefined ? null : correctableField(channel);
    if (row === undefined || row.referral_id === null || field === null)
      throw new Refusal("notInScope", { text: "Forsendelsen findes ikke." });
    const value = field === "patientEmail" ? patientEmail : patientMobilePhone;
    if (value === null) throw new Refusal("invalid", { fields: { [field]: ["Feltet skal udfyldes."] } });
    const contact = contactInput(row.referral_id, field, value);
    await refuseTakenContact(context, contact);
    return contact;
  },
  async run(context, { messageId }, contact) {
    const row = await openFailure(context, messageId);
    if (row.outcome !== "failed")
      throw new Refusal("conflict", { text: "Forsendelsen kan være kommet frem: afgør det først." });
    await saveContact(context, contact);
    const channel = row.channel as ChannelName;
    await resend(context, row, channel);
    return {
      flash: {
        tone: "success" as const,
        formId: formIdOf(messageId),
        text: `Rettet på henvisning nr. ${contact.referralId}, og sat i kø som ${channelLabels[channel]}.`,
      },
    };
  },
});
