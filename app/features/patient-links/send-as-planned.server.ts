import type { ChangeContext } from "~/access/operation.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { linkWays, obstacleTexts } from "~/features/patient-messages/ways";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { filesOfLink } from "./files-of-link.server";
import { queuePatientLink } from "./queue-patient-link.server";

/**
 * Sends one radiograph link by e-Boks, else by SMS, and returns the result as a sentence. A failure must not prevent
 * saving.
 */
export async function sendRadiographsAsPlanned(context: ChangeContext, row: ReferralRow): Promise<string> {
  const { tx, portal } = context;
  const about = { purpose: "radiographLink", letterNumber: null } as const;
  if ((await filesOfLink(tx, portal.secrets, row, about)).length === 0)
    return "Der er ingen røntgenbilleder at sende til patienten.";
  const ways = linkWays.map((way) => ({
    ...way,
    obstacle: obstacleTo(portal, { kind: about.purpose, channel: way.channel }, row),
  }));
  const way = ways.find(({ obstacle }) => obstacle === null);
  if (way === undefined) {
    const reasons = ways.map(({ label, obstacle }) => `${label}: ${obstacleTexts[obstacle!]}`);
    return `Røntgenbillederne kan ikke sendes til patienten (${reasons.join("; ")}).`;
  }
  await queuePatientLink(context, row, { ...about, type: way.value });
  return `Patienten får et link til røntgenbillederne (${way.label}).`;
}
