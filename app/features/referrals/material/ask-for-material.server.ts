import { z } from "zod";
import { subDays } from "date-fns";
import { queueMaterialMail } from "./material-mail.server";
import {
  change,
  type ChangeContext,
  execute,
  ofReferral,
  pageAddress,
  plainInput,
  read,
} from "~/access/operation.server";
import { rowIdIn } from "~/access/edit.server";
import { seesStatus, saveStatus, statusFormId, statusReturn } from "../status/set-status.server";
import { withdrawStatusMails } from "../status/status-mails.server";
import {
  changeMaterialLines,
  findMaterialRequest,
  insertMaterialRequest,
  type MaterialLine,
  type MaterialRequest,
  updateMaterialNote,
  countReminder,
  findUnansweredRequests,
} from "../store/material-store.server";
import { paths } from "~/paths";
import { safeReturn } from "~/features/accounts/return-path";
import { AWAITING_MATERIAL } from "../model/statuses";
import { lockReferral, type ReferralRow } from "../store/referral-store.server";
import { updateStatusGuarded } from "../store/status-store.server";
import { logEvent } from "../store/visit-log-store.server";
import { toMoment, localDate, localHour } from "~/text/dates";
import { optionalText } from "~/text/fields.server";
import { kindOf, materialKinds, NOTE_LIMIT, OTHER, WORDS_LIMIT } from "../model/material-kinds";
import type { Caller } from "~/access/caller";
import { MATERIAL_REMINDERS, materialReminderSetting } from "../model/deadlines";
import { findSettings } from "~/features/settings/setting-store.server";
import type { Portal } from "~/portal.server";
import { isWorkday } from "~/text/copenhagen.server";
import { isHoliday } from "~/text/calendar";
import type { Secrets } from "~/access/secrets.server";
import type { Db, DbOrTx } from "~db/connection.server";

const requestSchema = z
  .object({
    kinds: z
      .array(z.string().refine((value) => materialKinds.some((kind) => kind.value === value), "Vælg fra listen."))
      .default([])
      .refine((kinds) => kinds.length > 0, "Vælg mindst én ting."),
    otherText: optionalText(WORDS_LIMIT).transform((words) => words || null),
    note: optionalText(NOTE_LIMIT).transform((words) => words || null),
  })
  .refine(({ kinds, otherText }) => !kinds.includes(OTHER) || otherText !== null, {
    path: ["otherText"],
    error: "Skriv, hvad der mangler.",
  });
type MaterialRequestInput = z.output<typeof requestSchema>;

/** The values of the list's form: the items that were asked for and are not answered yet. */
export async function materialValues(db: DbOrTx, secrets: Secrets, row: ReferralRow) {
  const request = row.status === AWAITING_MATERIAL ? await findMaterialRequest(db, secrets, row) : null;
  const open = request?.lines.filter(({ answer }) => answer === "open") ?? [];
  return {
    kinds: open.map(({ kind }) => kind),
    otherText: open.find(({ kind }) => kind === OTHER)?.text ?? "",
    note: request?.note ?? "",
  };
}

/**
 * 'Afventer materiale' with a list of missing items (docs/rules/material-requests.md): sets the status and list
 * together and mails the referrer. An existing list is changed: unticked items are withdrawn, answered ones stay.
 * Throws `conflict`, `invalid` and `notInScope`.
 */
export const askForMaterial = change({
  name: "askForMaterial",
  permission: "referral.setStatus",
  edit: {
    async read({ db, actor, portal }, field) {
      const row = await lockReferral(db, actor, rowIdIn(field("referralId")));
      return { values: await materialValues(db, portal.secrets, row) };
    },
    sees: seesStatus(
      ({ id }, status) =>
        `Intet er sendt: nr. ${id} er nu ${status}. Tryk igen, hvis der stadig skal bedes om materiale.`,
    ),
  },
  input: ofReferral.extend({ to: pageAddress }).and(requestSchema),
  async run(context, { referralId, to = paths.referral(referralId), ...wanted }) {
    const { tx, actor, portal, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const request = row.status === AWAITING_MATERIAL ? await findMaterialRequest(tx, portal.secrets, row) : null;
    auditChange([referralId], `material ${wanted.kinds.join(" ")}`);
    if (request) {
      await changeRequest(context, row, request, wanted);
      return { to: `${safeReturn(to)}#materiale`, flash: { tone: "success", text: "Listen er rettet." } };
    }
    const undo = await beginRequest(context, row, wanted);
    const isNotified = await queueMaterialMail(context, { referralId, referrerId: row.referrerId });
    return {
      to: statusReturn(to, referralId),
      flash: {
        tone: "success",
        formId: statusFormId(referralId),
        ...(undo ? { undo } : {}),
        text: `Nr. ${referralId} afventer materiale. ${isNotified ? "Henviseren får besked pr. mail." : "Henviseren har ingen mail og får ikke besked."}`,
      },
    };
  },
});

async function beginRequest(
  context: ChangeContext,
  row: ReferralRow,
  { kinds, otherText, note }: MaterialRequestInput,
) {
  const { tx, person, portal, now } = context;
  const isThere = row.status === AWAITING_MATERIAL && row.statusSince !== null;
  const event = requestedText(kinds);
  const undo = isThere
    ? null
    : await saveStatus(context, row, {
        status: AWAITING_MATERIAL,
        seenVersion: row.statusVersion,
        event,
        // The request's own mail notifies the referrer.
        notify: () => withdrawStatusMails(context, [row.id]),
      });
  if (isThere) await saveEdited(context, row, event);
  const requestId = await insertMaterialRequest(
    tx,
    portal.secrets,
    {
      referralId: row.id,
      statusSince: isThere ? row.statusSince! : toMoment(now),
      requestedBy: person.id,
      note,
    },
    now,
  );
  await changeMaterialLines(
    tx,
    portal.secrets,
    { id: requestId, referralId: row.id },
    { added: linesOf(kinds, otherText), dropped: [] },
    { personId: person.id, now },
  );
  return undo;
}

async function changeRequest(
  context: ChangeContext,
  row: ReferralRow,
  request: MaterialRequest,
  { kinds, otherText, note }: MaterialRequestInput,
): Promise<void> {
  const { tx, person, portal, now } = context;
  const isSame = (line: Line) => (other: Line) => line.kind === other.kind && line.text === other.text;
  const wanted = linesOf(kinds, otherText);
  const open = request.lines.filter(({ answer }) => answer === "open");
  const added = wanted.filter((line) => !open.some(isSame(line)));
  const dropped = open.filter((line) => !wanted.some(isSame(line)));
  const by = { personId: person.id, now };
  await changeMaterialLines(tx, portal.secrets, { id: request.id, referralId: row.id }, { added, dropped }, by);
  await updateMaterialNote(tx, portal.secrets, request.id, note);
  const event =
    added.length > 0 ? requestedText(added.map(({ kind }) => kind)) : "Listen over manglende materiale er rettet";
  await saveEdited(context, row, event);
  if (added.length > 0) await queueMaterialMail(context, { referralId: row.id, referrerId: row.referrerId });
}

type Line = Pick<MaterialLine, "kind" | "text">;

const linesOf = (kinds: readonly string[], otherText: string | null): Line[] =>
  [...new Set(kinds)].map((kind) => ({ kind, text: kind === OTHER ? otherText : null }));

const requestedText = (kinds: readonly string[]) => `Mangler: ${kinds.map((kind) => kindOf(kind).label).join(", ")}`;

async function saveEdited(context: ChangeContext, row: ReferralRow, event: string): Promise<void> {
  await updateStatusGuarded(context, row.id, row.statusVersion, {});
  await logEvent(context, row, event);
}

const MAX_PER_RUN = 100;

const OPENS = 8;
const CLOSES = 16;

const isOfficeHour = (now: Date) =>
  isWorkday(now) && !isHoliday(localDate(now)) && localHour(now) >= OPENS && localHour(now) < CLOSES;

/** Days that each reminder waits for: after the request, then after the reminder before it. Without those set to 0. */
async function reminderWaits(db: Db): Promise<number[]> {
  const saved = await findSettings(
    db,
    MATERIAL_REMINDERS.map(({ nth }) => materialReminderSetting(nth)),
  );
  const wanted = MATERIAL_REMINDERS.map(({ nth, days }) => Number(saved.get(materialReminderSetting(nth)) || days));
  return wanted.filter((days) => days > 0).map((days, nth, all) => Math.max(1, days - (all[nth - 1] ?? 0)));
}

/** Requests whose next reminder is due: on working days from 8 to 16, since nobody answers at other times. */
export const listDueMaterialReminders = read({
  name: "material.listDueReminders",
  permission: "system",
  async run({ db, now }) {
    if (!isOfficeHour(now)) return [];
    const due = await Promise.all(
      (await reminderWaits(db)).map((days, sent) =>
        findUnansweredRequests(db, { sent, before: subDays(now, days) }, MAX_PER_RUN),
      ),
    );
    return due.flat();
  },
});

/**
 * Mails the referrer what is still missing and logs it; without an address only the log says so. `sent` is the number
 * of reminders so far: nothing happens if another process has counted one since, or if the referral no longer awaits
 * material. Throws `notInScope`.
 */
export const remindOfMaterial = change({
  name: "material.remind",
  permission: "system",
  input: z.object({ requestId: z.number().int(), referralId: z.number().int(), sent: z.number().int() }),
  async run(context, { requestId, referralId, sent }) {
    const { tx, actor, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    if (row.status !== AWAITING_MATERIAL || !(await countReminder(tx, requestId, { sent, now }))) return {};
    const isNotified = await queueMaterialMail(context, { referralId, referrerId: row.referrerId }, "materialReminder");
    const event = isNotified ? "Mindet om manglende materiale" : "Kan ikke mindes om materiale: ingen mail";
    await logEvent(context, row, event);
    auditChange([referralId], `material reminder ${sent + 1}`);
    return {};
  },
});

/** Job: reminds referrers of requested material, so that no referral waits in silence. */
export async function remindOfMaterials(portal: Portal, caller: Caller): Promise<void> {
  for (const due of await execute(portal, caller, listDueMaterialReminders))
    await execute(portal, caller, remindOfMaterial, plainInput(due)).catch((error: unknown) =>
      portal.log.error({ err: error }, "reminder of material"),
    );
}
