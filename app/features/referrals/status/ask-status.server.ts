import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { activeFilters } from "~/lists/filters";
import { countRows } from "~/lists/rows.server";
import { unsealFilter } from "~/lists/seal-filter.server";
import { fullName } from "~/text/names";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { listOf, overview } from "~/features/referrals/list/overview-list.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { MAX_AT_ONCE } from "./set-statuses.server";
import { defaultStatuses, visibleStatus } from "~/features/referrals/model/status";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";

/** Confirmation before all matches of a filter get a status: present count and filter. */
export const askAllStatuses = read({
  name: "askAllStatuses",
  permission: "referral.setStatus",
  input: z.object({ f: z.string().nullish() }),
  async run({ db, person, portal }, { f }) {
    const typed = f ? unsealFilter(overview, portal.secrets, person, f) : {};
    if (typed === null) throw new Refusal("notInScope");
    const names = {
      ...(await filterChoices(portal, person)),
      chosenReferrer: typed.referrerId ? await chosenReferrer(portal, person, typed.referrerId) : null,
    };
    return {
      seesInternal: can(person, "referral.readInternal"),
      ...(await cachedStatusSettings(portal)),
      count: await countRows(db, listOf(portal, person, typed, null)),
      max: MAX_AT_ONCE,
      filter: typed,
      active: activeFilters(overview.filters, typed, names, defaultStatuses(person)),
    };
  },
});

export const askClosing = read({
  name: "askClosing",
  permission: "referral.setStatus",
  input: z.object({ referralId: z.coerce.number().int().positive() }),
  async run({ db, person, portal, auditRead }, { referralId }) {
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const files = await findFiles(db, row.id);
    return {
      id: row.id,
      statusVersion: row.status_version,
      name: fullName(row),
      status: visibleStatus(row.status, person),
      ...(await cachedStatusSettings(portal)),
      fileNames: files.map((file) => file.fileName),
      purgeDays: portal.config.filePurgeDays,
    };
  },
});
