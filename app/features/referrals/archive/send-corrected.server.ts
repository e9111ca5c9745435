import type { Settling } from "~/features/delivery/kind-hooks";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { stopAwaiting } from "~/features/delivery/handle-failures.server";
import { findImageOfMessage } from "~/features/referrals/store/archive-export-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { queueExport } from "./plan-exports.server";

const REACHED =
  "Et billede var på vej til arkivet, da CPR-nummeret blev rettet, og er planlagt igen. I arkivet kan det ligge under det tidligere nummer: få det fjernet dér.";

/**
 * Sends an image again that was sent under a CPR number corrected since. Failed ones use the new number at the next
 * attempt anyway.
 */
export async function sendAgainIfCorrected(
  context: Settling,
  referral: ReferralRow,
  { id, outcome }: { id: number; outcome: Outcome },
): Promise<void> {
  if (outcome === "queued" || outcome === "withdrawn") return;
  const { tx, now } = context;
  const image = await findImageOfMessage(tx, id);
  if (image === undefined || image.export === null || image.export.correctedAt === null) return;
  if (outcome === "awaiting") await stopAwaiting(tx, id, now);
  await queueExport(context, referral.id, image, undefined);
  if (outcome === "failed") return;
  const line = { referralId: referral.id, status: null, event: REACHED, logType: "archive" } as const;
  await insertVisitLog(tx, { kind: "system", job: "archive" }, [line], now);
}
