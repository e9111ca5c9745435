import type { ChangeContext } from "~/access/operation.server";
import { findExportedImages, writeNotReleased } from "~/features/referrals/store/archive-export-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { patientOf } from "./patient-in-file.server";
import { planExports } from "./plan-exports.server";

/**
 * After somebody has corrected who a referral is about. Under another CPR number every image that was planned goes anew, and whoever said of a file
 * that it was the patient's said so of another number; under another name those that are held back are judged again. What lies in the archive
 * already stays there: no message can take it back, so a person is told to. Answers what is said; null where there is nothing to say.
 */
export async function followIdentity(context: ChangeContext, before: ReferralRow): Promise<string | null> {
  const { tx, actor, portal, now } = context;
  const row = await findReferral(tx, actor, before.id);
  const [was, is] = [patientOf(portal, before), patientOf(portal, row)];
  const isOtherNumber = was.cpr !== is.cpr;
  if (!isOtherNumber && was.name === is.name) return null;
  const images = await findExportedImages(tx, row.id);
  const arrived = images.filter(({ export: last }) => last?.outcome === "sent" || last?.outcome === "unknown").length;
  if (isOtherNumber) await writeNotReleased(tx, row.id);
  const count = await planExports(context, row, { which: isOtherNumber ? "all" : "held" });
  if (count === 0) return null;
  const planned = `${count === 1 ? "1 billede er" : `${count} billeder er`} planlagt til arkivet igen.`;
  const left = isOtherNumber && arrived > 0 ? ` ${LEFT_BEHIND}` : "";
  const event = `${isOtherNumber ? "CPR-nummeret" : "Navnet"} er rettet: ${planned}${left}`;
  await insertVisitLog(tx, actor, [{ referralId: row.id, status: null, event, logType: "archive" }], now);
  return `${planned}${left}`;
}

const LEFT_BEHIND = "I arkivet ligger de også under det tidligere CPR-nummer: få dem fjernet dér.";
