import type { ViewedReferral } from "~/components/referral-pages/viewed-referral";
import { type PageTicket, TicketProvider } from "~/http/forms/use-ticket";
import type { OpenReferral } from "./open-referral";
import { ViewerTriage } from "./viewer-triage";

/** Referral data for the viewer, with the referral's own ticket. */
export function viewedReferral(open: OpenReferral, ticket: PageTicket): ViewedReferral {
  const { id, patient, isUrgent, referral, images, mayEdit } = open;
  return {
    id,
    patientName: patient.name,
    cpr: patient.cpr,
    age: patient.age,
    isUrgent,
    texts: [
      { label: "Ønsket behandling", value: referral.desiredTreatment },
      { label: "Diagnose", value: referral.diagnose },
      { label: "Tidligere behandling", value: referral.previousTreatment },
      { label: "Kommentar", value: referral.comment },
    ].flatMap(({ label, value }) => (value ? [{ label, value }] : [])),
    images: images.filter(({ slices }) => slices > 0),
    triage: mayEdit ? (
      <TicketProvider value={ticket}>
        <ViewerTriage referral={open} />
      </TicketProvider>
    ) : null,
  };
}
