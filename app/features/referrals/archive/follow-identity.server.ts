import type { ChangeContext } from "~/access/operation.server";
import { stopAwaiting } from "~/features/delivery/handle-failures.server";
import {
  type ExportedImage,
  findExportedImages,
  writeCorrected,
} from "~/features/referrals/store/archive-export-store.server";
import { forgetOwners } from "~/files/stored-file-store.server";
import { findLetterImageIds } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { referralPatient } from "./file-owner.server";
import { planExports } from "./plan-exports.server";

/**
 * After somebody has corrected who a referral is about. Under another CPR number every image that was planned goes anew, and whoever said of a file
 * that it was the patient's said so of another number; under another name those that are withheld are judged again. One that is being handed over
 * goes once more when that has ended (`sendAgainIfCorrected`). What lies in the archive already stays there: no message can take it back, so a
 * person is told to. Answers what is said; null where there is nothing to say.
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
    // The archive shows them under the former number, if at all.
    for (const last of exports) if (last.outcome === "awaiting") await stopAwaiting(tx, last.outboxId, now);
  }
  const count = await planExports(context, row, { which: isOtherNumber ? "all" : "withheld" });
  const text = [planned(count), ...(isOtherNumber ? [leaving(exports), leftBehind(exports)] : [])]
    .filter((sentence) => sentence !== null)
    .join(" ");
  if (text === "") return null;
  const event = `${isOtherNumber ? "CPR-nummeret" : "Navnet"} er rettet: ${text}`;
  await insertVisitLog(tx, actor, [{ referralId: row.id, status: null, event, logType: "archive" }], now);
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
