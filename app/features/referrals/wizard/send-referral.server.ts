import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { planExports } from "~/features/referrals/archive/plan-exports.server";
import { cancelUnfinished, findUnfinished } from "~/files/staging/partial-upload-store.server";
import { paths } from "~/paths";
import {
  filesRefused,
  attachStagedFiles,
  radiographsInput,
  radiographUploads,
} from "~/features/referrals/images/add-radiographs.server";
import { detachRadiographs, recordEdit } from "~/features/referrals/images/change-radiographs.server";
import {
  labelOf,
  radiographsSendTypes,
  takesApprovalFile,
  UPLOADED_NOW,
  WIZARD_UNEXPECTED_ERROR,
} from "~/features/referrals/model/referral";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, isSentBefore, markSent } from "~/features/referrals/store/referral-store.server";
import { AWAITING_TRIAGE } from "~/features/referrals/model/status";
import { finishCompletedUploads } from "~/features/referrals/images/upload-radiograph.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { updateRadiographsSendType } from "~/features/referrals/store/radiograph-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

/**
 * Step 3 and the sending (POST /Visits/{id}/radiographs): makes the draft a referral exactly once, however
 * often it is pressed. A referral that was sent before is only saved: it is never sent again and its status stays; what changed raises
 * its version and stands in its log.
 *
 * Files that came with the form are kept first, so that a refused one loses none of the others. Throws `fileRefused`,
 * `stepNotReached`, `uploadUnfinished`, `notInScope`, and `invalid` for images or an approval that should have been uploaded.
 */
export const sendReferral = external({
  name: "sendReferral",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: radiographsInput.extend({
    radiographsSendType: z.coerce
      .number({ error: "Vælg, hvordan billederne sendes." })
      .refine((value) => radiographsSendTypes.some((type) => type.value === value), "Vælg, hvordan billederne sendes."),
    /** Of a page's form: what it was asked about already. */
    wasAsked: z.string().optional(),
  }),
  uploads: radiographUploads,
  async prepare(context, input) {
    if (input.radiographsSendType === UPLOADED_NOW) await finishCompletedUploads(context, input.referralId);
    if (!context.caller.files) return;
    // What is attached already stands in the way of nothing: a second press sends the same files again.
    const { refused, ...rest } = await attachStagedFiles(context, input);
    if (refused.length + rest.asked.length > 0) throw filesRefused(refused, rest);
  },
  async run(context, { referralId, radiographsSendType, wasAsked }) {
    const { tx, person, now, actor, auditChange } = context;
    // The person's own draft that has just been sent is no longer editable: a second press leads to the same receipt.
    if (await isSentBefore(tx, person, referralId)) return { to: paths.visitSent(referralId) };
    const referral = await findEditable(tx, person, referralId);
    if (referral.available_step < 3) throw new Refusal("stepNotReached");
    const unfinished = await findUnfinished(tx, person.id, referral.id);
    if (radiographsSendType === UPLOADED_NOW && unfinished.length > 0)
      throw halfUploaded(unfinished.map(({ fileName }) => fileName));
    const files = await findFiles(tx, referral.id);
    const images = files.filter((file) => file.kind === "radiograph");
    if (radiographsSendType === UPLOADED_NOW && images.length === 0) {
      throw new Refusal("invalid", {
        text: "Tilføj mindst én fil, eller vælg en anden måde at sende billederne på.",
        fields: { radiographs: ["Tilføj mindst én fil."] },
      });
    }
    const lacksApproval =
      takesApprovalFile({ paymentType: referral.payment_type, approvalType: referral.approval_type }) &&
      !files.some((file) => file.kind === "approval");
    if (wasAsked !== undefined && wasAsked !== APPROVAL && lacksApproval && referral.sent_at === null)
      throw new Refusal("invalid", { text: LACKS_APPROVAL, fields: { wasAsked: [APPROVAL] } });
    await cancelUnfinished(tx, unfinished);
    // A way other than uploading empties the list.
    if (radiographsSendType !== UPLOADED_NOW && images.length > 0) await detachRadiographs(context, referral, images);
    const isFirst = await markSent(tx, referral.id, { radiographsSendType, personId: person.id, now });
    if (!isFirst && referral.radiographs_send_type !== radiographsSendType) {
      await updateRadiographsSendType(tx, referral.id, radiographsSendType);
      await recordEdit(
        context,
        referral,
        `Billederne: ${labelOf(radiographsSendTypes, radiographsSendType).toLowerCase()}`,
      );
    }
    if (isFirst)
      await insertVisitLog(
        tx,
        actor,
        [{ referralId: referral.id, status: AWAITING_TRIAGE, event: "Henvisningen er modtaget" }],
        now,
      );
    await planExports(context, referral, { which: "new" });
    auditChange([referralId]);
    invalidateCounts(context);
    return { to: isFirst ? paths.visitSent(referralId) : paths.referral(referralId) };
  },
});

const APPROVAL = "approval";
const LACKS_APPROVAL =
  "Behandlingsgodkendelsen er ikke vedhæftet, selv om der er valgt 'Uploades nu'. Vedhæft den på trin 1, eller tryk Send henvisning igen for at sende uden den.";

function halfUploaded(names: string[]): Refusal {
  const what =
    names.length === 1
      ? `${names[0]} er kun halvt uploadet.`
      : `${names.length} filer er kun halvt uploadet: ${names.join(", ")}.`;
  return new Refusal("uploadUnfinished", {
    text: `${what} Vælg ${names.length === 1 ? "filen" : "dem"} igen for at fortsætte, eller fjern ${names.length === 1 ? "den" : "dem"}.`,
  });
}
