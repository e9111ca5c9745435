import { z } from "zod";
import { type ChangeContext, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { markAwaited } from "~/files/staging/awaited-upload-store.server";
import { cancelUnfinished, findUnfinished } from "~/files/staging/partial-upload-store.server";
import { paths } from "~/paths";
import {
  filesRefused,
  attachStagedFiles,
  radiographsInput,
  radiographUploads,
} from "~/features/referrals/images/add-radiographs.server";
import { chosenTypes, detachRadiographs, recordEdit } from "~/features/referrals/images/change-radiographs.server";
import {
  labelOf,
  radiographsSendTypes,
  takesApprovalFile,
  UPLOADED_NOW,
  URGENT,
  WIZARD_UNEXPECTED_ERROR,
} from "~/features/referrals/model/referral";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, isSentBefore, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { finishCompletedUploads } from "~/features/referrals/images/finish-upload.server";
import { sendDraft } from "~/features/referrals/sending/send-draft.server";
import { insertAwaitedSending, refreshAwaitedFiles } from "~/features/referrals/store/awaited-sending-store.server";
import { lockRadiographs, updateRadiographsSendType } from "~/features/referrals/store/radiograph-store.server";

/**
 * Step 3 and the sending (POST /Visits/{id}/radiographs): makes the draft a referral exactly once, however
 * often it is pressed. A referral that was sent before is only saved: it is never sent again and its status stays; what changed raises
 * its version and stands in its log.
 *
 * Files that came with the form, and the types that stand in it, are kept first, so that a refusal loses none of them. Pressed while files are on their way it is sent
 * when the last of them has come (docs/rules/sending-with-files.md). Throws `fileRefused`,
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
    /** Files are on their way: sent when they have come, or an urgent one at once. Absent, half a file stands in the way. */
    waitForFiles: z.literal("on").optional().catch(undefined),
  }),
  uploads: radiographUploads,
  async prepare(context, input) {
    if (input.radiographsSendType === UPLOADED_NOW) await finishCompletedUploads(context, input.referralId);
    if (!context.caller.files && chosenTypes(input).size === 0) return;
    // What is attached already stands in the way of nothing: a second press sends the same files again.
    const { refused, ...rest } = await attachStagedFiles(context, input);
    if (refused.length + rest.asked.length > 0) throw filesRefused(refused, rest);
  },
  async run(context, { referralId, radiographsSendType, wasAsked, waitForFiles }) {
    const { tx, person, now, auditChange } = context;
    // The person's own draft that has just been sent is no longer editable: a second press leads to the same receipt.
    if (await isSentBefore(tx, person, referralId)) return { to: paths.visitSent(referralId) };
    const referral = await findEditable(tx, person, referralId);
    if (referral.available_step < 3) throw new Refusal("stepNotReached");
    // A file that comes whole meanwhile waits, and sees what was decided.
    await lockRadiographs(tx, referral.id);
    const unfinished = await findUnfinished(tx, person.id, referral.id);
    const isUploading = radiographsSendType === UPLOADED_NOW && unfinished.length > 0;
    if (isUploading && waitForFiles === undefined) throw halfUploaded(unfinished.map(({ fileName }) => fileName));
    const files = await findFiles(tx, referral.id);
    const images = files.filter((file) => file.kind === "radiograph");
    if (radiographsSendType === UPLOADED_NOW && images.length === 0 && !isUploading) {
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
    if (isUploading) await markAwaited(tx, referral.id, now);
    else await cancelUnfinished(tx, unfinished);
    auditChange([referralId]);
    if (isUploading && referral.sent_at === null && referral.reference_type !== URGENT) {
      await insertAwaitedSending(tx, referral.id, person.id, now);
      return { to: paths.visitSent(referralId) };
    }
    // A way other than uploading empties the list.
    if (radiographsSendType !== UPLOADED_NOW && images.length > 0) await detachRadiographs(context, referral, images);
    const isFirst = await sendDraft(context, referral, { radiographsSendType, personId: person.id });
    if (!isFirst) {
      await refreshAwaitedFiles(tx, referral.id);
      await changeSendType(context, referral, radiographsSendType);
    }
    return { to: isFirst ? paths.visitSent(referralId) : paths.referral(referralId) };
  },
});

/** Of a referral that was sent before: the other way stands in its log. */
async function changeSendType(context: ChangeContext, referral: ReferralRow, type: number): Promise<void> {
  if (referral.radiographs_send_type === type) return;
  await updateRadiographsSendType(context.tx, referral.id, type);
  await recordEdit(context, referral, `Billederne: ${labelOf(radiographsSendTypes, type).toLowerCase()}`);
}

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
