import type { Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { ScopedReferralId } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { isEmailTaken, upsertPatient } from "~/features/referrals/store/patient-store.server";
import { insertReceived, type ReceivedReferral } from "~/features/referrals/store/received-referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { AWAITING_TRIAGE } from "~/features/referrals/model/statuses";
import { optionalEmail } from "~/text/fields.server";
import { arrivedType } from "~/files/file-rules";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import {
  attachFiles,
  findFiles,
  lockRadiographs,
  refreshRadiographMark,
} from "~/features/referrals/store/referral-file-store.server";

export type { ReceivedReferral };

/**
 * Creates a referral sent by another system, awaiting triage. An invalid e-mail, or another patient's, is left out and
 * logged.
 */
export async function createReceivedReferral(
  { tx, secrets, actor, now }: { tx: Tx; secrets: Secrets; actor: Actor; now: Date },
  received: ReceivedReferral & { event: string },
): Promise<ScopedReferralId> {
  const { event, ...referral } = received;
  const email = optionalEmail.safeParse(referral.email ?? "").data ?? null;
  const isTaken = email !== null && (await isEmailTaken(tx, secrets, { cpr: referral.cpr, email }));
  const own = isTaken ? null : email;
  const patientId = await upsertPatient(tx, secrets, { cpr: referral.cpr, email: own }, now);
  const id = await insertReceived(tx, secrets, { ...referral, email: own }, patientId, now);
  const isLost = referral.email !== null && own === null;
  await insertVisitLog(
    tx,
    actor,
    [
      { referralId: id, status: AWAITING_TRIAGE, event },
      ...(isLost
        ? [
            {
              referralId: id,
              status: null,
              event: isTaken
                ? "E-mailadressen i brevet hører til en anden patient og er ikke overført"
                : "E-mailadressen i brevet er ugyldig og er ikke overført",
            },
          ]
        : []),
    ],
    now,
  );
  return id;
}

interface ReceivedFile {
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
