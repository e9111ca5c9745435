import { z } from "zod";
import { read, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { appointmentWaysOf } from "~/features/appointment-letters/operations.server";
import { answerTo } from "~/features/appointment-answers/open-appointment.server";
import { pageOf } from "~/lists/page-of";
import { readOpenCallUp } from "~/features/call-ups/read-open-call-up.server";
import { readOpenLetters } from "~/features/discharge-letters/read-discharge-letters.server";
import { messagesOf } from "~/features/messages/operations.server";
import { patientLinksOf } from "~/features/patient-links/operations.server";
import { readThreadOf } from "~/features/sms-threads/read-thread.server";
import { editedParts, peopleOf, referralOf } from "~/features/referrals/details/read-referral.server";
import { samePatientOf } from "~/features/referrals/details/same-patient.server";
import { imagesPart } from "~/features/referrals/images/read-images.server";
import { earlierRequestsOf } from "~/features/referrals/material/answer-material.server";
import { cachedCriticalMedicines } from "~/features/referrals/model/critical-medicines.server";
import { mentionsIn } from "~/features/referrals/model/text-mentions.server";
import { visibleStatus } from "~/features/referrals/model/status";
import { AWAITING_TRIAGE, NOT_REACHED } from "~/features/referrals/model/statuses";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { readSendingProgress } from "~/features/delivery/read-messages.server";
import { findNamedUsers } from "~/features/directory/operations.server";
import { composerOf } from "~/features/patient-messages/queue-message.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { timeToCome } from "~/features/referrals/model/operation-start.server";
import { timeToTellOf } from "~/features/referrals/status/told-times.server";
import { findCaseFacts } from "~/features/referrals/store/case-facts-store.server";
import { statusSentence } from "~/features/referrals/model/status-sentence.server";
import { findLastSigns } from "~/features/referrals/store/next-date-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { replyKinds } from "~/features/sms-threads/answer-placement";

/** What the referrer wrote besides allergies and medicine, which are marked themselves. */
const textsOf = (row: ReferralRow) => [
  row.desiredTreatment,
  row.diagnose,
  row.illnesses,
  row.previousTreatment,
  row.comment,
];

/** The newest are on the last page. A referral may have hundreds, which all at once would hold up other requests. */
const MESSAGES_A_PAGE = 50;

/** The open referral with data of other features. Throws `notInScope`. */
export const readOpenReferral = read({
  name: "readOpenReferral",
  permission: "referral.read",
  input: z.object({
    referralId: wholeNumber.positive(),
    edit: z.enum(editedParts).nullish().catch(null),
    imagePage: wholeNumber.positive().nullish().catch(null),
    messagePage: wholeNumber.positive().nullish().catch(null),
  }),
  async run(context, { referralId, edit, imagePage, messagePage }) {
    const { db, portal, person, now, auditRead } = context;
    // Read first, so that anything settled meanwhile appears at the next refresh.
    const sendings = await readSendingProgress(db, person, referralId);
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const files = await findFiles(db, row.id);
    const users = await findNamedUsers(db, peopleOf(row));
    const toPatient = async () => {
      const compose = await composerOf(db, portal, ["callUp", "appointmentLetter", "radiographLink", ...replyKinds]);
      const [callUp, appointmentWays, links, sms, answer] = await Promise.all([
        readOpenCallUp(db, portal, row, compose),
        appointmentWaysOf(portal, row, compose),
        patientLinksOf(context, row, compose, files),
        readThreadOf(db, portal, row, now, compose),
        answerTo(db, portal, row),
      ]);
      return { callUp, appointmentWays, links, sms, answer };
    };
    // Staff read the status and the log instead.
    const isExplained = !can(person, "referral.editSent");
    const facts = isExplained ? (await findCaseFacts(db, [row.id], now)).get(row.id)! : null;
    const isUnread =
      row.status === AWAITING_TRIAGE &&
      facts !== null &&
      !facts.isHeld &&
      !facts.isDowngraded &&
      !can(person, "referral.readInternal");
    const [referral, medicines, images, messages, letters, written, clinicPhone, triageWaits, lastSigns] =
      await Promise.all([
        referralOf(context, row, { files, users, edit }),
        // Read at the same time as the settings above, so that one statement asks whether the cache is out of date.
        cachedCriticalMedicines(portal),
        imagesPart(context, row, files, imagePage),
        messagesOf(db, person, row, { files, referrer: users.get(row.referrerId) ?? null }),
        readOpenLetters(db, portal, person, row),
        can(person, "patientMessage.send") ? toPatient() : null,
        row.status === NOT_REACHED ? readLetterhead(db, portal.config).then(({ phone }) => phone) : null,
        isUnread ? readUsualWaits(portal, now, "toTriage") : [],
        isExplained ? findLastSigns(db, person, [row]) : null,
      ]);
    const earlierRequests = await earlierRequestsOf(context, row, referral.material);
    const samePatient = await samePatientOf(db, person, row, medicines);
    auditRead(samePatient.sources);
    const { shown: items, ...messagePages } = pageOf(messages.items, messagePage ?? Infinity, MESSAGES_A_PAGE);
    return {
      ...referral,
      images,
      sendings,
      messages: { ...messages, ...messagePages, items },
      letters,
      earlierRequests,
      cave: samePatient.cave,
      mentions: mentionsIn(textsOf(row), medicines, samePatient.cave),
      otherReferrals: samePatient.others,
      meaning: facts === null ? "" : statusSentence(visibleStatus(row.status, person), facts),
      timeToCome: timeToCome(row, now),
      toTell: await timeToTellOf(db, person, row, now),
      /** Null unless the patient could not be reached. */
      clinicPhone,
      /** Median days to triage of this urgency; null where the reader does not see it. */
      usualTriageDays: triageWaits.find(({ urgency }) => urgency === row.referenceType)?.median ?? null,
      /** Null for those who work on the referral and see its log. */
      lastSign: lastSigns?.get(row.id) ?? null,
      /** Messages to the patient; null for those who may not write them. */
      toPatient: written,
    };
  },
});
