import { z } from "zod";
import { read } from "~/access/operation.server";
import { knownNextDate, visibleStatus } from "~/features/referrals/model/status";
import { findLastSigns } from "~/features/referrals/store/last-sign-store.server";
import { countSilent, findSilent } from "~/features/referrals/store/next-date-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { MAX_PAGE_SIZE } from "~/lists/list";
import { localDate } from "~/text/dates";

/** A silent referral is past its next date, so that it has been silent since that day. */
const silentSince = (nextDate: string | null, today: string) =>
  nextDate !== null && nextDate < today ? nextDate : null;

/** By when something must happen with a referral, and what happened last (GET /next/Visits/{id}). Throws `notInScope`. */
export const readNextDate = read({
  name: "readNextDate",
  permission: "referral.read",
  input: z.object({ referralId: z.coerce.number().int().positive() }),
  async run({ db, actor, now, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    auditRead([row.id]);
    const nextDate = knownNextDate(row, actor);
    return {
      id: row.id,
      status: visibleStatus(row.status, actor),
      nextDate,
      silentSince: silentSince(nextDate, localDate(now)),
      lastSign: (await findLastSigns(db, actor, [row])).get(row.id) ?? null,
    };
  },
});

/** Silent referrals in scope, the longest silent first (GET /next/Visits/silent). */
export const listSilentReferrals = read({
  name: "listSilentReferrals",
  permission: "referral.read",
  input: z.object({
    page: z.number().int().positive().default(1),
    pageSize: z.number().int().positive().max(MAX_PAGE_SIZE).default(20),
  }),
  async run({ db, actor, now, auditRead }, { page, pageSize }) {
    const today = localDate(now);
    const rows = await findSilent(db, actor, today, { offset: (page - 1) * pageSize, limit: pageSize });
    auditRead(rows.map(({ id }) => id));
    const lastSigns = await findLastSigns(db, actor, rows);
    return {
      total: await countSilent(db, actor, today),
      rows: rows.map((row) => ({
        id: row.id,
        status: visibleStatus(row.status, actor),
        clinicId: row.clinic_id,
        silentSince: row.next_due_on,
        lastSign: lastSigns.get(row.id) ?? null,
      })),
    };
  },
});

/** How many there are (GET /next/Visits/silent/count). */
export const countSilentReferrals = read({
  name: "countSilentReferrals",
  permission: "referral.read",
  input: z.object({}),
  run: async ({ db, actor, now }) => ({ count: await countSilent(db, actor, localDate(now)) }),
});
