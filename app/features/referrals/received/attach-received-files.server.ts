import type { Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { ScopedReferralId } from "~/access/scope.server";
import { arrivedType } from "~/files/file-rules";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { lockRadiographs, refreshRadiographMark } from "~/features/referrals/store/radiograph-store.server";
import { attachFiles, findFiles } from "~/features/referrals/store/referral-file-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

export interface ReceivedFile {
  storedFileId: number;
  kind: "radiograph" | "journal";
  fileName: string;
  sha256: string;
}

export async function attachReceivedFiles(
  { tx, actor, now }: { tx: Tx; actor: Actor; now: Date },
  referralId: ScopedReferralId,
  files: readonly ReceivedFile[],
): Promise<void> {
  if (files.length === 0) return;
  await lockRadiographs(tx, referralId);
  const there = new Set((await findFiles(tx, referralId)).map(({ kind, sha256 }) => `${kind} ${sha256}`));
  const fresh = files.filter(({ kind, sha256 }) => {
    const what = `${kind} ${sha256}`;
    const isFresh = !there.has(what);
    there.add(what);
    return isFresh;
  });
  await attachFiles(
    tx,
    referralId,
    fresh.map(({ storedFileId, kind, fileName }) => ({
      storedFileId,
      kind,
      radiographType: kind === "radiograph" ? arrivedType(fileName, 0) : null,
    })),
    null,
    now,
  );
  await discardStoredFiles(
    tx,
    files.filter((file) => !fresh.includes(file)).map(({ storedFileId }) => storedFileId),
    now,
  );
  await refreshRadiographMark(tx, referralId);
  if (fresh.length === 0) return;
  const event = fresh.length === 1 ? "Et bilag er modtaget pr. EDI" : `${fresh.length} bilag er modtaget pr. EDI`;
  await insertVisitLog(tx, actor, [{ referralId, status: null, event }], now);
}
