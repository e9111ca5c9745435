import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { filterFields } from "~/lists/filter-rules.server";
import { countList } from "~/lists/read-page.server";
import { findRows } from "~/lists/rows.server";
import { sortParam } from "~/lists/sort";
import { ageOn } from "~/text/cpr";
import { isoMoment, localDate } from "~/text/dates";
import { columns, type OverviewFilter } from "./filters";
import { listOf, overview } from "./overview-list.server";
import { visibleStatus } from "~/features/referrals/model/status";

const isColumn = (key: number) => columns.some((column) => column.key === key);

/** Export by date read this many at a time. */
export const MOST_VISITS = 1000;

/**
 * A page of the actor's referrals with plain values (GET /Visits): the overview's filters and sort keys, default
 * statuses by role. What a role may not filter by is left out.
 */
export const listVisits = read({
  name: "listVisits",
  permission: "referral.read",
  input: z.object({
    filter: z.object(filterFields(overview.rules, (schema) => schema.optional())),
    page: z.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.number().int().min(1).max(MOST_VISITS).default(20),
    orderBy: z.number().int().refine(isColumn, "Ukendt kolonne.").default(5),
    ascending: z.boolean().default(false),
  }),
  async run({ db, person, portal, now, saw }, { filter, page, pageSize, orderBy, ascending }) {
    const list = listOf(portal, person, filter as OverviewFilter, sortParam({ key: orderBy, ascending }));
    const totalEntities = await countList(portal, person, list);
    const rows =
      totalEntities === 0
        ? []
        : await findRows(db, list, { cursor: null, direction: "forward", skip: (page - 1) * pageSize, take: pageSize });
    saw(rows.map((row) => row.id));
    const seesInternal = can(person, "referral.readInternal");
    return {
      totalEntities,
      visits: rows.map((row) => ({
        id: row.id,
        version: row.version,
        externalId: row.external_id,
        status: visibleStatus(row.status, person),
        referenceType: row.reference_type,
        createDate: isoMoment(row.create_date),
        patientFirstName: row.first_name,
        patientLastName: row.last_name,
        patientAge: ageOn(row.birth_date, localDate(now)),
        cpr: sealedCpr.open(portal.secrets, row),
        isRadiographUploaded: row.has_radiographs === 1,
        isPdfFile: true,
        // To the clinic what it has not answered; to the referrer what the clinic has written since.
        haveUnansweredMessage:
          (can(person, "message.answer") ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
        isTestVisit: seesInternal && row.is_test === 1,
        ...(can(person, "message.answer")
          ? { externalDoctorId: row.external_doctor_id, exportedToCsv: row.exported_to_csv === 1 }
          : {}),
      })),
    };
  },
});
