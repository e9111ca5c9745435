import { z } from "zod";
import { refusedFileTexts } from "~/access/caller";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { safeReturn } from "~/features/accounts/return-path";
import { answerLine, updateLineReply } from "~/features/referrals/store/material-answer-store.server";
import { findLineOf, findMaterialRequest } from "~/features/referrals/store/material-store.server";
import { attachFiles } from "~/features/referrals/store/referral-file-store.server";
import { bumpVersion, lockReferral } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { paths } from "~/paths";
import { requiredText } from "~/text/fields.server";
import { kindOf, WORDS_LIMIT } from "./material-kinds";
import { recallIfAnswered, settleLine } from "./settle-material.server";

const ofLine = z.object({
  referralId: z.coerce.number().int(),
  lineId: z.coerce.number().int(),
  to: z.string().max(8000).optional(),
});

const backTo = (referralId: number, to: string | undefined) =>
  `${safeReturn(to ?? paths.referral(referralId))}#materiale`;

const noLongerRequested = () =>
  new Refusal("conflict", { text: "Klinikken venter ikke længere på det. Genindlæs siden." });

export const declineMaterial = change({
  name: "declineMaterial",
  permission: "referral.write",
  idempotent: true,
  input: ofLine.extend({ reply: requiredText("Skriv kort hvorfor, fx 'Er ikke taget'.", WORDS_LIMIT) }),
  async run(context, { referralId, lineId, reply, to }) {
    const { tx, actor, person, portal, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const request = await findMaterialRequest(tx, portal.secrets, row);
    const line = request?.lines.find(({ id, answer }) => id === lineId && answer === "open");
    if (!line || !(await answerLine(tx, line.id, "none", { personId: person.id, now }))) throw noLongerRequested();
    await updateLineReply(tx, portal.secrets, line, reply);
    await bumpVersion(tx, row.id, { personId: person.id, now });
    const event = `${kindOf(line.kind).label}: findes ikke`;
    await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event }], now);
    await recallIfAnswered(context, row.id);
    auditChange([referralId], `material line ${line.id}`);
    return { to: backTo(referralId, to), flash: { tone: "success" as const, text: "Svaret er sendt." } };
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
  input: ofLine.extend({ formKey: z.string().max(64) }),
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
    await bumpVersion(tx, row.id, { personId: person.id, now });
    const event = staged.length === 1 ? "En fil er tilføjet" : `${staged.length} filer er tilføjet`;
    await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event }], now);
    await settleLine(context, row.id, line);
    auditChange([referralId], `material line ${line}, ${staged.length} files`);
    return {
      to: backTo(referralId, to),
      flash: {
        tone: "success" as const,
        text: staged.length === 1 ? "Filen er modtaget." : `${staged.length} filer er modtaget.`,
      },
    };
  },
});
