import { z } from "zod";
import { change } from "~/access/operation.server";
import { linkWays } from "~/features/patient-messages/ways";
import { lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { leftOutText } from "./files-of-link.server";
import { linkWords, queuePatientLink } from "./queue-patient-link.server";

const CHOOSE = "Vælg, hvordan linket skal sendes.";
const types: readonly number[] = linkWays.map(({ value }) => value);

const link = z.object({
  referralId: z.coerce.number().int(),
  messageType: z.coerce
    .number<unknown>(CHOOSE)
    .int()
    .refine((value) => types.includes(value), CHOOSE),
});

/**
 * 'Send Røntgen': a link to the referral's or a letter's radiographs, by 0 e-Boks or 1 SMS. Throws `invalid` without
 * files or if the channel cannot be used, and `notInScope`.
 */
export const sendRadiographLink = change({
  name: "sendRadiographLink",
  permission: "patientMessage.send",
  idempotent: true,
  input: link.extend({ letterNumber: z.coerce.number().int().positive().nullish() }),
  async run(context, { referralId, letterNumber = null, messageType }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queuePatientLink(context, row, { purpose: "radiographLink", letterNumber, type: messageType });
    const left = await leftOutText(context.tx, context.portal.secrets, row, {
      purpose: "radiographLink",
      letterNumber,
    });
    const text = `${linkWords.radiographLink.sent} er sat i kø.${left}`;
    return { flash: { tone: "success" as const, formId: "sendRadiographLink", text } };
  },
});
