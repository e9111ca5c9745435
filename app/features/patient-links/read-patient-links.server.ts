import { z } from "zod";
import { read } from "~/access/operation.server";
import { readLiveLinks } from "~/access/patient-links.server";
import { composeMessages } from "~/features/patient-messages/compose.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { isoMoment } from "~/text/dates";
import { filesOfLink, findStrangersFiles } from "./files-of-link.server";
import { findPatientMessages } from "./store.server";
import { linkPlaceholder } from "./queue-patient-link.server";

/**
 * 'Send Røntgen': channels and texts, former messages including letters' links, and valid links. Throws `notInScope`.
 */
export const readPatientLinks = read({
  name: "readPatientLinks",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ db, actor, portal, now, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    auditRead([row.id]);
    const values = { ...linkPlaceholder, dage: String(portal.config.patientLinkDays) };
    const channels = linkWays.map(({ channel }) => channel);
    const messages = await composeMessages(db, portal, "radiographLink", channels, row, values);
    const files = await filesOfLink(db, portal.secrets, row, { purpose: "radiographLink", letterNumber: null });
    const live = await readLiveLinks(db, row.id, now);
    return {
      fileCount: files.length,
      /** Files withheld because they name another patient. */
      strangers: await findStrangersFiles(db, portal.secrets, row),
      ways: linkWays.map(({ value, channel }) => {
        const message = messages.find((each) => each.channel === channel);
        return {
          type: value,
          obstacle: obstacleTo(portal, { kind: "radiographLink", channel }, row),
          subject: message?.subject ?? "",
          body: message?.body ?? "",
          missing: message?.missing ?? [],
        };
      }),
      sent: (await findPatientMessages(db, row.id)).map((line) => ({
        id: line.id,
        purpose: line.purpose,
        letterNumber: line.letter_number,
        type: line.message_type,
        status: line.status,
        outcome: line.sending_outcome,
        createdAt: isoMoment(line.created_at),
        sentAt: line.send_date === null ? null : isoMoment(line.send_date),
      })),
      /** When the last link expires; null if none is valid. */
      goodUntil:
        live.length === 0
          ? null
          : isoMoment(
              live
                .map((link) => link.expires_at)
                .sort()
                .at(-1)!,
            ),
    };
  },
});
