import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { openList } from "~/lists/define-list.server";
import { activeFilters } from "~/lists/filters";
import { readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import type { AccessFilter } from "./access-filters";
import { accesses } from "./access-list.server";
import { findReferralsOfEvents, NAMED_REFERRALS } from "./access-log-store.server";

/** A page of who saw or changed what. */
export const listAccess = read({
  name: "listAccess",
  permission: "audit.read",
  input: z.object({
    f: z.string().max(8000).nullish(),
    page: z.coerce.number<unknown>().int().min(1).max(1_000_000).catch(1),
    cursor: z.string().max(2000).nullish().catch(null),
  }),
  async run({ db, portal, person, now, concerns, auditRead }, { f, ...asked }) {
    const unsealed = f ? unsealFilter(accesses, portal.secrets, person, f) : {};
    const filter: AccessFilter = unsealed ?? {};
    const list = openList(accesses, portal.secrets, person, filter, null);
    const { rows, ...page } = await readPage(portal, person, list, asked);
    const named = await findReferralsOfEvents(
      db,
      rows.map(({ id }) => id),
    );
    if (filter.cpr?.includes("-")) concerns({ cpr: filter.cpr });
    // Of the referral that is asked about, not of all that the rows name: those would be seen by everybody's log.
    auditRead(filter.visitNumber === undefined ? [] : [filter.visitNumber], "access log");
    return {
      ...page,
      log: "access" as const,
      visitNumber: filter.visitNumber === undefined ? "" : String(filter.visitNumber),
      sort: sortParam(list.sort),
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter,
      active: activeFilters(accesses.filters, filter).map((each) => ({
        ...each,
        without: sealFilter(accesses, portal.secrets, person, { ...filter, [each.key]: undefined }),
      })),
      /** For the number on the link. */
      failures: await countOpenFailures(portal, now),
      rows: rows.map((row) => {
        const referrals = named.get(row.id) ?? [];
        return {
          id: row.id,
          at: isoMoment(row.at),
          actorKind: row.actor_kind,
          role: row.role,
          name: row.user_name === null ? null : fullName({ first_name: row.first_name!, last_name: row.last_name! }),
          userName: row.user_name,
          operation: row.operation,
          outcome: row.outcome,
          referrals: referrals.slice(0, NAMED_REFERRALS),
          hasMore: referrals.length > NAMED_REFERRALS,
        };
      }),
    };
  },
});

export type AccessPage = ResultOf<typeof listAccess>;
