import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedAppointmentLetter, sealedCallUp } from "~/access/sealed-column.server";
import { isoMoment } from "~/text/dates";
import { findCaseSections } from "~/features/referrals/store/referral-details-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";

/**
 * What was sent about a referral: times, call-ups, invoices and offers (GET /Visits/{id}/appointmentinfo,
 * /Incall/logs/{id}, /Invoices/{id}). Contents are staff's alone. Throws `notInScope`.
 */
export const readSentLetters = read({
  name: "readSentLetters",
  permission: "referral.read",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, actor, portal, saw }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    saw([referralId]);
    const found = await findCaseSections(db, row.id);
    const moment = (at: string | null) => (at === null ? null : isoMoment(at));
    const seesInternal = can(actor, "referral.readInternal");
    const billing = found.billing.map((line) => ({
      kind: line.kind,
      id: line.id,
      status: line.status,
      sendDate: moment(line.send_date),
    }));
    const ofKind = (wanted: string) =>
      billing.filter(({ kind }) => kind === wanted).map(({ kind: _kind, ...line }) => line);
    return {
      appointmentLetters: found.appointmentLetters.map((line) => ({
        id: line.id,
        appointmentType: line.appointment_type,
        status: line.status,
        sendDate: moment(line.send_date),
        createDate: isoMoment(line.created_at),
        content: seesInternal ? sealedAppointmentLetter.open(portal.secrets, line) : null,
      })),
      callUps: found.callUps.map((line) => ({
        id: line.id,
        incallType: line.incall_type,
        callUpStatus: line.call_up_status,
        incallDate: moment(line.incall_date),
        pdfFileName: line.pdf_file_name,
        visitLogId: seesInternal ? line.visit_log_id : null,
        incallContent: seesInternal ? sealedCallUp.open(portal.secrets, line) : null,
      })),
      invoices: ofKind("invoice"),
      offers: ofKind("offer"),
    };
  },
});
