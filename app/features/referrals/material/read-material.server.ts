import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { countArrivingForLines, findMaterialRequest } from "~/features/referrals/store/material-store.server";
import type { ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { isoMoment } from "~/text/dates";

/** Requested items with what has arrived, kept until the next status. Null if nothing is requested. */
export async function materialOf(db: DbOrTx, secrets: Secrets, row: ReferralRow, files: readonly ReferralFile[]) {
  const request = await findMaterialRequest(db, secrets, row);
  if (request === null) return null;
  const arriving = await countArrivingForLines(
    db,
    request.lines.map(({ id }) => id),
  );
  return {
    requestedAt: isoMoment(request.requestedAt),
    note: request.note,
    completedAt: request.completedAt && isoMoment(request.completedAt),
    lines: request.lines.map(({ answeredAt, ...line }) => ({
      ...line,
      answeredAt: answeredAt && isoMoment(answeredAt),
      arriving: arriving.get(line.id) ?? 0,
      files: files
        .filter((file) => file.materialLineId === line.id)
        .map(({ id, fileName, kind }) => ({ id, name: fileName, isImage: kind === "radiograph" })),
    })),
  };
}
