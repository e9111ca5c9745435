import { z } from "zod";
import { change } from "~/access/operation.server";
import { findReferral, updateGuarded } from "./referral-store.server";
import { statuses, statusLabel } from "./status";
import { readStatusSettings } from "./status-settings.server";
import { insertVisitLog } from "./visit-log-store.server";
import { toMoment } from "~/text/dates";

/** Sets one referral's status (specification 1 §4). No transition is forbidden; somebody else's newer change is a `conflict`. */
export const setStatus = change({
  name: "setStatus",
  permission: "referral.setStatus",
  input: z.object({
    referralId: z.coerce.number().int(),
    status: z.coerce.number().int().refine((value) => statuses.some((status) => status.value === value), "Vælg en status."),
    seenVersion: z.coerce.number().int(),
  }),
  async run({ tx, actor, person, now, touched }, { referralId, status, seenVersion }) {
    await findReferral(tx, actor, referralId);
    await updateGuarded(tx, referralId, seenVersion, { status, status_since: toMoment(now), modifier_id: person.id, modified_at: toMoment(now) });
    await insertVisitLog(tx, actor, [{ referralId, status, event: null }], now);
    touched([referralId], `status ${status}`);
    const label = statusLabel(status, await readStatusSettings(tx), actor);
    return { flash: { tone: "success" as const, text: `Status er gemt. Nr. ${referralId} er nu ${label}.` } };
  },
});
