import type { ChangeContext } from "~/access/operation.server";
import { stopAwaiting } from "~/features/delivery/receipt-store.server";
import {
  type ExportedImage,
  findExportedImages,
  writeCorrected,
} from "~/features/referrals/store/archive-export-store.server";
import { forgetOwners } from "~/files/stored-file-store.server";
import { findLetterImageIds } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { planExports, referralPatient } from "./plan-exports.server";

/**
 * Follows a correction of the patient. A new CPR number plans every image again and voids confirmations; a new name
 * re-checks withheld images. An image being sent is sent again afterwards (`sendAgainIfCorrected`). Archived images
 * cannot be recalled by a message, so a person is notified. Returns the notice, or null.
 */
export async function followIdentity(context: ChangeContext, before: ReferralRow): Promise<string | null> {
  const { tx, actor, portal, now } = context;
  const row = await findReferral(tx, actor, before.id);
  const [was, is] = [referralPatient(portal, before), referralPatient(portal, row)];
  const isOtherNumber = was.cpr !== is.cpr;
  if (!isOtherNumber && was.name === is.name) return null;
  const images = await findExportedImages(tx, row.id);
  const exports = images.flatMap((image) => image.export ?? []);
  if (isOtherNumber) {
    await forgetOwners(tx, [
      ...images.map(({ storedFileId }) => storedFileId),
      ...(await findLetterImageIds(tx, row.id)),
    ]);
    await writeCorrected(tx, row.id, now);
    // The archive has them under the former number.
    for (const last of exports) if (last.outcome === "awaiting") await stopAwaiting(tx, last.outboxId, now);
  }
  const count = await planExports(context, row, { which: isOtherNumber ? "all" : "withheld" });
  const text = [planned(count), ...(isOtherNumber ? [leaving(exports), leftBehind(exports)] : [])]
    .filter((sentence) => sentence !== null)
    .join(" ");
  if (text === "") return null;
  const event = `${isOtherNumber ? "CPR-nummeret" : "Navnet"} er rettet: ${text}`;
  await logEvent(context, { id: row.id, status: null }, event, { logType: "archive" });
  return text;
}

type Export = NonNullable<ExportedImage["export"]>;

const imagesOf = (count: number) => (count === 1 ? "1 billede er" : `${count} billeder er`);

const planned = (count: number) => (count === 0 ? null : `${imagesOf(count)} planlagt til arkivet igen.`);

function leaving(exports: readonly Export[]): string | null {
  const count = exports.filter(({ isLeaving }) => isLeaving).length;
  return count === 0 ? null : `${imagesOf(count)} på vej til arkivet lige nu, og sendes igen bagefter.`;
}

function leftBehind(exports: readonly Export[]): string | null {
  if (exports.some(({ outcome }) => outcome === "sent" || outcome === "unknown" || outcome === "awaiting"))
    return "I arkivet ligger de også under det tidligere CPR-nummer: få dem fjernet dér.";
  if (exports.some(({ outcome, isLeaving, mayHaveLeft }) => outcome === "queued" && (isLeaving || mayHaveLeft)))
    return "I arkivet kan der ligge billeder under det tidligere CPR-nummer: få dem fjernet dér.";
  return null;
}
