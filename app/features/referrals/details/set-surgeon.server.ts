import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findSurgeons } from "~/features/directory/find-surgeons.server";
import { toMoment } from "~/text/dates";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { findReferral, updateGuarded } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

const newSurgeon = z.object({
  referralId: z.coerce.number().int(),
  surgeonId: z.coerce.number().int().optional(),
  seenVersion: z.coerce.number().int(),
});

/** Sets or clears the surgeon (PATCH /Visits/{id} on /surgeonId). Throws `conflict`, `notInScope` and `invalid`. */
export const setSurgeon = change({
  name: "setSurgeon",
  permission: "referral.editSent",
  input: newSurgeon,
  run: applySurgeon,
});

export async function applySurgeon(
  context: ChangeContext,
  { referralId, surgeonId, seenVersion }: z.output<typeof newSurgeon>,
) {
  const { tx, actor, person, now, auditChange } = context;
  const row = await findReferral(tx, actor, referralId);
  if (row.surgeon_id === (surgeonId ?? null)) return {};
  const surgeon = surgeonId === undefined ? null : (await findSurgeons(tx)).find(({ id }) => id === surgeonId);
  if (surgeon === undefined) throw new Refusal("invalid", { fields: { surgeonId: ["Vælg en kirurg fra listen."] } });
  await updateGuarded(tx, row.id, seenVersion, {
    surgeon_id: surgeon?.id ?? null,
    modifier_id: person.id,
    modified_at: toMoment(now),
  });
  const event = surgeon ? `${surgeon.name} er kirurg på sagen` : "Ingen kirurg på sagen";
  await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event }], now);
  invalidateCounts(context);
  auditChange([referralId], `surgeon ${surgeon?.id ?? "none"}`);
  return { flash: { tone: "success" as const, text: `${event}.` } };
}
