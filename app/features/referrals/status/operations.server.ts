import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { listOf, overview } from "~/features/referrals/list/overview-list.server";
import { defaultStatuses, visibleStatus } from "~/features/referrals/model/status";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { activeFilters } from "~/lists/filters";
import { countRows } from "~/lists/rows.server";
import { unsealFilter } from "~/lists/seal-filter.server";
import { fullName } from "~/text/names";
import { MAX_AT_ONCE } from "./set-statuses.server";
import { queueStatusMails } from "./status-mail.server";

/**
 * 'Send status til henviser' (POST /Visits/{id}/notification/surgeon): mails the present status regardless of
 * subscription. Repeated within a minute it replaces the former mail. Throws `invalid` without an e-mail, and
 * `notInScope`.
 */
export const sendStatus = change({
  name: "sendStatus",
  permission: "referral.editSent",
  idempotent: true,
  input: z.object({ referralId: z.coerce.number().int() }),
  async run(context, { referralId }) {
    const { tx, actor, now, auditChange } = context;
    const row = await findReferral(tx, actor, referralId);
    const referrer = row.referrer_id === null ? null : await findReferrer(tx, row.referrer_id);
    if (!referrer?.email)
      throw new Refusal("invalid", {
        text: "Henviseren har ingen e-mail. Udfyld den under Henvisere, eller skift henviser.",
      });
    await queueStatusMails(context, [{ referralId, referrerId: referrer.id, status: row.status }]);
    await insertVisitLog(
      tx,
      actor,
      [{ referralId: row.id, status: row.status, event: `Status sendes til ${referrer.name}`, logType: "email" }],
      now,
    );
    auditChange([referralId]);
    return { flash: { tone: "success" as const, text: `Status sendes til ${referrer.name}.` } };
  },
});

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
