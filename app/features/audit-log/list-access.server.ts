import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { openList } from "~/lists/define-list.server";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/sort";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { accesses } from "./access-list.server";
import { findReferralsOfEvents, NAMED_REFERRALS } from "./access-log-store.server";

export const listAccess = read({
  name: "listAccess",
  permission: "audit.read",
  input: z.object(listInput(accesses)),
  async run({ db, portal, person, now, concerns, auditRead }, input) {
    const { typed: filter, shown } = requestedFilter(accesses, portal, person, input);
    const list = openList(accesses, portal.secrets, person, filter, null);
    const { rows, ...page } = await readPage(portal, person, list, input);
    const named = await findReferralsOfEvents(
      db,
      rows.map(({ id }) => id),
    );
    if (filter.cpr?.includes("-")) concerns({ cpr: filter.cpr });
    // Audits the referral asked about, not those in the rows: otherwise reading the log would fill it.
    auditRead(filter.visitNumber === undefined ? [] : [filter.visitNumber], "access log");
    return {
      ...page,
      log: "access" as const,
      visitNumber: filter.visitNumber === undefined ? "" : String(filter.visitNumber),
      sort: sortParam(list.sort),
      ...shown(),
      failures: await countOpenFailures(portal, now),
      rows: rows.map((row) => {
        const referrals = named.get(row.id) ?? [];
        return {
          id: row.id,
          at: isoMoment(row.at),
          actorKind: row.actor_kind,
          role: row.role,
          keyName: row.key_name,
          name: row.user_name === null ? null : fullName({ first_name: row.first_name!, last_name: row.last_name! }),
          userName: row.user_name,
          operation: row.operation,
          subjectUserName: row.subject_user_name,
          outcome: row.outcome,
          referrals: referrals.slice(0, NAMED_REFERRALS),
          hasMore: referrals.length > NAMED_REFERRALS,
        };
      }),
    };
  },
});

export type AccessPage = ResultOf<typeof listAccess>;
