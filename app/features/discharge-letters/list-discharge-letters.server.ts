import { z } from "zod";
import type { Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferralOf } from "~/features/referrals/details/messaged-referral.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import type { RowOf } from "~/lists/define-list.server";
import { filterFields } from "~/lists/filter-rules.server";
import { activeFilters } from "~/lists/filters";
import { countList, pageByNumber, type PageRow, readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import type { Portal } from "~/portal.server";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { type DischargeFilter, dischargeFilters } from "./discharge-letter-columns";
import { dischargeLetters, dischargeLettersOf } from "./discharge-letter-list.server";
import { lettersByReferral, readOpenLetters, type ShownLetter } from "./read-discharge-letters.server";

/** A page of the referrals that have a discharge letter, with what the row that is open shows. */
export const listDischargeLetters = read({
  name: "listDischargeLetters",
  permission: "referral.read",
  input: z.object({
    sort: z.string().nullish(),
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    cursor: z.string().max(2000).nullish().catch(null),
    f: z.string().nullish(),
    /** The row that is open: it stays where it stood, also when the filter lets it through no more. */
    openId: z.coerce.number().int().positive().nullish().catch(null),
    /** The filter as it is, for a caller whose address nobody else reads. */
    filter: z.object(filterFields(dischargeLetters.rules, (schema) => schema.optional())).optional(),
    ...pageByNumber,
  }),
  async run({ db, person, portal, auditRead }, { sort, f, filter, ...asked }) {
    const unsealed = f
      ? unsealFilter(dischargeLetters, portal.secrets, person, f)
      : ((filter ?? {}) as DischargeFilter);
    const typed = unsealed ?? {};
    const list = dischargeLettersOf(portal, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, asked);
    auditRead(rows.map(({ id }) => id));
    const letters = await lettersByReferral(
      db,
      person,
      rows.map(({ id }) => id),
    );
    const choices = asked.rowsOnly ? null : await filterChoices(portal, person);
    const referrer =
      typed.referrerId && !choices?.referrers?.some(({ value }) => value === typed.referrerId)
        ? await chosenReferrer(portal, person, typed.referrerId)
        : null;
    const open = asked.rowsOnly ? undefined : rows.find(({ id }) => id === asked.openId);
    const manages = can(person, "dischargeLetter.manage");
    return {
      ...page,
      sort: sortParam(list.sort),
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: typed,
      active: activeFilters(dischargeFilters, typed, { ...choices, chosenReferrer: referrer }).map((each) => ({
        ...each,
        // The address of the same list without this one filter.
        without: sealFilter(dischargeLetters, portal.secrets, person, { ...typed, [each.key]: undefined }),
      })),
      /** Null where there are too many for a list. */
      referrers: choices?.referrers ?? null,
      chosenReferrer: referrer,
      work: manages && !asked.rowsOnly ? await readWork(portal, person) : [],
      open: open ? await readOpenLetters(db, portal, person, await findReferralOf(db, person, open.id)) : null,
      rows: rows.map((row) => showRow(portal, row, letters.get(row.id) ?? [], manages)),
    };
  },
});

const workFilters = ["onlyQueued", "onlyFailed", "onlyWithoutPdf"] as const;

/** Of what waits for staff, how many referrals, and the filter that shows them. */
async function readWork(portal: Portal, person: Person) {
  const work = [];
  for (const key of workFilters) {
    const count = await countList(portal, person, dischargeLettersOf(portal, person, { [key]: true }, null), 1001);
    if (count > 0) work.push({ key, count, f: sealFilter(dischargeLetters, portal.secrets, person, { [key]: true }) });
  }
  return work;
}

function showRow(
  { secrets }: Pick<Portal, "secrets">,
  row: PageRow<RowOf<typeof dischargeLetters>>,
  letters: ShownLetter[],
  manages: boolean,
) {
  return {
    id: row.id,
    cpr: sealedCpr.open(secrets, row),
    name: fullName(row),
    ediId: row.external_id,
    isTest: manages && row.is_test === 1,
    sentAt: row.discharge_sent_at === null ? null : isoMoment(row.discharge_sent_at),
    referrerEmail: row.referrer_email,
    letters,
    hasLeft: row.hasLeft ?? false,
  };
}
