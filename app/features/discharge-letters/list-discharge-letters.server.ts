import { z } from "zod";
import type { Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import type { RowOf } from "~/lists/define-list.server";
import { countList, type PageRow, readPage } from "~/lists/read-page.server";
import { sealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import type { Portal } from "~/portal.server";
import { fullName } from "~/text/names";
import { dischargeLetters, dischargeLettersOf } from "./discharge-letter-list.server";
import { lettersByReferral, readOpenLetters, type ShownLetter } from "./read-discharge-letters.server";

/** A page of referrals with letters, with the data of the open row. */
export const listDischargeLetters = read({
  name: "listDischargeLetters",
  permission: "referral.read",
  input: z.object(listInput(dischargeLetters)),
  async run({ db, person, portal, auditRead }, { sort, ...input }) {
    const { typed, shown } = requestedFilter(dischargeLetters, portal, person, input);
    const list = dischargeLettersOf(portal, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, input);
    auditRead(rows.map(({ id }) => id));
    const letters = await lettersByReferral(
      db,
      person,
      rows.map(({ id }) => id),
    );
    const choices = input.rowsOnly ? null : await filterChoices(portal, person);
    const referrer =
      typed.referrerId && !choices?.referrers?.some(({ value }) => value === typed.referrerId)
        ? await chosenReferrer(portal, person, typed.referrerId)
        : null;
    const open = input.rowsOnly ? undefined : rows.find(({ id }) => id === input.openId);
    const manages = can(person, "dischargeLetter.manage");
    return {
      ...page,
      sort: sortParam(list.sort),
      ...shown({ ...choices, chosenReferrer: referrer }),
      /** Null when there are too many for a select. */
      referrers: choices?.referrers ?? null,
      chosenReferrer: referrer,
      work: manages && !input.rowsOnly ? await readWork(portal, person) : [],
      open: open ? await readOpenLetters(db, portal, person, await findReferral(db, person, open.id)) : null,
      rows: rows.map((row) => showRow(portal, row, letters.get(row.id) ?? [], manages)),
    };
  },
});

const workFilters = ["onlyQueued", "onlyFailed", "onlyWithoutPdf"] as const;

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
    sentAt: row.discharge_sent_at,
    referrerEmail: row.referrer_email,
    letters,
    hasLeft: row.hasLeft ?? false,
  };
}
