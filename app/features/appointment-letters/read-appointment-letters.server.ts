import { z } from "zod";
import { read } from "~/access/operation.server";
import { composeMessages } from "~/features/patient-messages/compose.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { appointmentWays } from "~/features/patient-messages/ways";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";

/** Channels for notifying a patient of the appointment, with their texts. Throws `notInScope`. */
export const readAppointmentWays = read({
  name: "readAppointmentWays",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ db, actor, portal, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    auditRead([row.id]);
    const messages = await composeMessages(
      db,
      portal,
      "appointmentLetter",
      appointmentWays.map(({ channel }) => channel),
      row,
    );
    return appointmentWays.map(({ value, channel }) => {
      const message = messages.find((each) => each.channel === channel);
      return {
        type: value,
        obstacle: obstacleTo(portal, { kind: "appointmentLetter", channel, namesTime: message?.namesTime }, row),
        subject: message?.subject ?? "",
        body: message?.body ?? "",
        missing: message?.missing ?? [],
      };
    });
  },
});
