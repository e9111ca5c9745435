import { subHours } from "date-fns";
import { z } from "zod";
import { type Caller, refusedFileTexts } from "~/access/caller";
import {
  change,
  type ChangeContext,
  execute,
  plainInput,
  read,
  type ReadContext,
  wholeNumber,
  keyedForm,
} from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { hasAccount } from "~/access/actor";
import type { ScopedReferralId } from "~/access/scope.server";
import { invalidateCounts } from "../list/read-queues.server";
import { AWAITING_MATERIAL, AWAITING_TRIAGE, UNTRIAGED } from "~/features/referrals/model/statuses";
import { MAX_WAIT_HOURS } from "~/features/referrals/model/sending-rules";
import {
  answerLine,
  countArrivingForLines,
  findBegunLines,
  findLineOf,
  findMaterialRequest,
  findRequestsForPatient,
  markLineBegun,
  returnToTriage,
  updateLineReply,
} from "~/features/referrals/store/material-store.server";
import {
  attachFiles,
  findFiles,
  lockRadiographs,
  type ReferralFile,
} from "~/features/referrals/store/referral-file-store.server";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { recordEdit } from "~/features/referrals/images/change-radiographs.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";
import { Refusal } from "~/access/refusal";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { safeReturn } from "~/features/accounts/return-path";
import { paths } from "~/paths";
import { requiredText } from "~/text/fields.server";
import { kindOf, WORDS_LIMIT } from "../model/material-kinds";
import { type DbOrTx, idsOf } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";

type SettlingContext = Pick<ChangeContext, "tx" | "actor" | "now" | "portal" | "afterCommit">;

/**
 * Updates a line after a file for it arrived, was refused or removed, in the same transaction: answered when it has
 * files and none is unfinished. `isLate` ignores unfinished ones. Concurrent calls wait for each other, so that one
 * sees the last file.
 */
export async function settleLine(
  context: SettlingContext,
  referralId: ScopedReferralId,
  lineId: number,
  { isLate = false } = {},
): Promise<void> {
  const { tx, actor, now } = context;
  await lockRadiographs(tx, referralId);
  const files = await findFiles(tx, referralId);
  if (!files.some((file) => file.materialLineId === lineId)) return;
  const arriving = await countArrivingForLines(tx, [lineId]);
  if (arriving.size > 0 && !isLate) return markLineBegun(tx, lineId, now);
  if (await answerLine(tx, lineId, "files", { personId: hasAccount(actor) ? actor.id : null, now }))
    await recallIfAnswered(context, referralId);
}

async function recallIfAnswered(context: SettlingContext, referralId: ScopedReferralId): Promise<void> {
  const { tx, actor, now, portal } = context;
  const row = await findReferral(tx, actor, referralId);
  const request = row.status === AWAITING_MATERIAL ? await findMaterialRequest(tx, portal.secrets, row) : null;
  if (request === null || !(await returnToTriage(tx, row.id, request, now))) return;
  const event = request.lines.some(({ answer }) => answer === "files")
    ? "Materiale modtaget"
    : "Henviseren har ikke materialet";
  await logEvent(context, { id: row.id, status: AWAITING_TRIAGE }, event);
  invalidateCounts(context);
}

const MAX_PER_RUN = 100;

/** At most 100 lines whose first file arrived more than 24 hours ago and whose other uploads are unfinished. */
export const listLateMaterial = read({
  name: "material.listLate",
  permission: "system",
  run: ({ db, now }) => findBegunLines(db, subHours(now, MAX_WAIT_HOURS), MAX_PER_RUN),
});

/** Settles a line whose upload has stood still for too long, with the files that arrived. */
export const settleLateMaterial = change({
  name: "material.settleLate",
  permission: "system",
  input: z.object({ lineId: z.number().int(), referralId: z.number().int() }),
  async run(context, { lineId, referralId }) {
    const referral = await findReferral(context.tx, context.actor, referralId);
    await settleLine(context, referral.id, lineId, { isLate: true });
    context.auditChange([referral.id], `material line ${lineId}`);
    return {};
  },
});

/** Job: an unfinished upload must not block a referral for ever. */
export async function settleLateMaterials(portal: Portal, caller: Caller): Promise<void> {
  for (const line of await execute(portal, caller, listLateMaterial))
    await execute(portal, caller, settleLateMaterial, plainInput(line)).catch((error: unknown) =>
      portal.log.error({ err: error }, "material that waits for the rest of its files"),
    );
}

const ofLine = z.object({
  referralId: wholeNumber,
  lineId: wholeNumber,
  to: z.string().max(8000).optional(),
});

const backTo = (referralId: number, to: string | undefined) =>
  `${safeReturn(to ?? paths.referral(referralId))}#materiale`;

const noLongerRequested = () =>
  new Refusal("conflict", { text: "Klinikken venter ikke længere på det. Genindlæs siden." });

/**
 * Records that the referrer does not have a requested item, and why. The last answer returns the referral to triage
 * at the top. Throws `conflict` if the item was answered or withdrawn meanwhile, and `notInScope`.
 */
export const declineMaterial = change({
  name: "declineMaterial",
  permission: "referral.write",
  idempotent: true,
  input: ofLine.extend({ reply: requiredText("Skriv kort hvorfor, fx »Er ikke taget«.", WORDS_LIMIT) }),
  async run(context, { referralId, lineId, reply, to }) {
    const { tx, actor, person, portal, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const request = await findMaterialRequest(tx, portal.secrets, row);
    const line = request?.lines.find(({ id, answer }) => id === lineId && answer === "open");
    if (!line || !(await answerLine(tx, line.id, "none", { personId: person.id, now }))) throw noLongerRequested();
    await updateLineReply(tx, portal.secrets, line, reply);
    await recordEdit(context, row, `${kindOf(line.kind).label}: findes ikke`);
    await recallIfAnswered(context, row.id);
    auditChange([referralId], `material line ${line.id}`);
    return { to: backTo(referralId, to), flash: { tone: "success", text: "Svaret er sendt." } };
  },
});

/**
 * Uploads documents for a line that accepts them, as record copies. Throws `fileRefused`, `invalid` without a file,
 * `conflict` and `notInScope`.
 */
export const addMaterialDocuments = change({
  name: "addMaterialDocuments",
  permission: "referral.write",
  idempotent: true,
  input: ofLine.extend(keyedForm.shape),
  uploads: { journals: uploadOf("journal") },
  async run(context, { referralId, lineId, formKey, to }) {
    const { tx, actor, person, caller, now, auditChange } = context;
    const fields = refusedFileTexts(caller.files);
    if (Object.keys(fields).length > 0)
      throw new Refusal("fileRefused", { text: Object.values(fields).flat().join(" "), fields });
    const row = await lockReferral(tx, actor, referralId);
    const line = await findLineOf(tx, row.id, lineId);
    if (line === null) throw noLongerRequested();
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: ["journals"] }, now);
    if (staged.length === 0) throw new Refusal("invalid", { fields: { journals: ["Vælg mindst én fil."] } });
    await attachFiles(
      tx,
      row.id,
      staged.map((file) => ({ ...file, radiographType: null, materialLineId: line })),
      person.id,
      now,
    );
    await recordEdit(context, row, staged.length === 1 ? "En fil er tilføjet" : `${staged.length} filer er tilføjet`);
    await settleLine(context, row.id, line);
    auditChange([referralId], `material line ${line}, ${staged.length} files`);
    return {
      to: backTo(referralId, to),
      flash: {
        tone: "success",
        text: staged.length === 1 ? "Filen er modtaget." : `${staged.length} filer er modtaget.`,
      },
    };
  },
});

/** The material items requested by the clinic, each with the files received. Null if the clinic requested none. */
export async function materialOf(db: DbOrTx, secrets: Secrets, row: ReferralRow, files: readonly ReferralFile[]) {
  const request = await findMaterialRequest(db, secrets, row);
  if (request === null) return null;
  const arriving = await countArrivingForLines(db, idsOf(request.lines));
  return {
    id: request.id,
    requestedAt: request.requestedAt,
    note: request.note,
    completedAt: request.completedAt,
    lines: request.lines.map(({ answeredAt, ...line }) => ({
      ...line,
      answeredAt,
      arriving: arriving.get(line.id) ?? 0,
      files: files
        .filter((file) => file.materialLineId === line.id)
        .map(({ id, fileName, kind }) => ({ id, name: fileName, isImage: kind === "radiograph" })),
    })),
  };
}

const EARLIER_SHOWN = 5;

/**
 * Earlier requests for the same patient, shown beside a request and to staff who may soon make one. Reads only
 * referrals in the reader's scope.
 */
export async function earlierRequestsOf(
  { db, portal, person, auditRead }: ReadContext,
  row: ReferralRow,
  shown: { id: number } | null,
) {
  const cpr = sealedCpr.open(portal.secrets, row);
  const mayAsk = can(person, "referral.setStatus") && UNTRIAGED.includes(row.status);
  if (cpr === null || (shown === null && !mayAsk)) return [];
  const found = await findRequestsForPatient(db, person, portal.secrets.lookups("cpr", cpr), EARLIER_SHOWN + 1);
  const earlier = found.filter(({ id, kinds }) => id !== shown?.id && kinds.length > 0).slice(0, EARLIER_SHOWN);
  auditRead([...new Set(earlier.map(({ referralId }) => referralId).filter((id) => id !== row.id))]);
  return earlier;
}
