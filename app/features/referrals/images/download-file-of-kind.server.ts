import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ByteRange } from "~/gateways/file-store/port";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, findReferral } from "~/features/referrals/store/referral-store.server";

/**
 * A file of a referral or own draft by kind: the approval without id, others by id. Infected files are never served.
 * Throws `notInScope` and `fileMissing`.
 */
export const downloadFileOfKind = read({
  name: "downloadVisitFile",
  permission: "referral.read",
  input: z.object({
    referralId: z.number().int(),
    kind: z.enum(["approval", "journal", "radiograph", "attachment"]),
    fileId: z.number().int().optional(),
  }),
  async run({ db, actor, portal, auditRead }, { referralId, kind, fileId }) {
    const row = await findReferral(db, actor, referralId).catch(() => findEditable(db, actor, referralId));
    const file = (await findFiles(db, row.id)).find(
      (each) => each.kind === kind && (fileId === undefined || each.id === fileId),
    );
    if (!file || file.scanState === "infected") throw new Refusal("fileMissing");
    auditRead([referralId]);
    const { fileName, mime, sizeBytes, storageKey, sha256 } = file;
    return {
      fileName,
      mime,
      sizeBytes,
      etag: sha256,
      disposition: "attachment" as const,
      open: (range?: ByteRange) => portal.files.openRead(storageKey, range),
    };
  },
});
