import { type DeliveryStatus, deliveryStatuses, QUEUED, SENT, UPLOADED } from "~/features/delivery/delivery-status";
import { type Outcome, outcomes } from "~/features/delivery/delivery-outcome";

/** What the expanded row calls things that were sent or planned. */
export interface State {
  label: string;
  tone: "ok" | "err" | "closed" | "ready" | "waiting";
  icon: "sent" | "failed" | "hourglass" | "done" | "export-planned";
}

/** One of the eleven delivery states: 3 is success (teal), 0 and 2 are grey, all others are errors (orange). */
export function deliveryState(status: number): State {
  const label = deliveryStatuses[status as DeliveryStatus] ?? `Status ${status}`;
  if (status === SENT) return { label, tone: "ready", icon: "sent" };
  return status === QUEUED || status === UPLOADED
    ? { label, tone: "closed", icon: "hourglass" }
    : { label, tone: "waiting", icon: "failed" };
}

/** The same of one that was withdrawn before it left. */
export const WITHDRAWN_STATE: State = { label: outcomes.withdrawn, tone: "closed", icon: "failed" };

const callUpTypes = ["Email", "Brev", "SMS", "e-Boks"];
const appointmentTypes = ["Email", "Brev", "e-Boks"];
export const callUpTypeLabel = (type: number) => callUpTypes[type] ?? "–";
export const appointmentTypeLabel = (type: number) => appointmentTypes[type] ?? "–";

/** A link to a patient's files: three states, whatever the channel. */
export function linkState(outcome: Outcome | null): State {
  if (outcome === "sent") return { label: "Succes", tone: "ok", icon: "sent" };
  if (outcome === "queued" || outcome === "awaiting") return { label: "I kø", tone: "closed", icon: "hourglass" };
  const label = outcome === "withdrawn" ? outcomes.withdrawn : "Mislykkedes";
  return { label, tone: outcome === "withdrawn" ? "closed" : "waiting", icon: "failed" };
}

/** A call-up's own state: 1 planned, 2 failed, 3 succeeded, 4 protected address. */
export function callUpState(status: number): State {
  if (status === 3) return { label: "Succes", tone: "ok", icon: "sent" };
  if (status === 1) return { label: "Igangværende", tone: "closed", icon: "hourglass" };
  return { label: status === 4 ? "Fejl hemmelig adresse" : "Mislykkedes", tone: "waiting", icon: "failed" };
}

/** The banner over a referral's call-ups; none when all went well. The words are the customer's own, the odd spelling included. */
export const callUpNotice: Readonly<Record<number, string>> = {
  1: "Indkaldsbrev er planlagt.",
  2: "Nogle incalls har fejl.",
  4: "Indkald ikke mulig pga. hemlig adresse.",
};

/** A discharge letter's chip: 0 queued, 1 sent, 2 what went wrong. */
export function letterState(status: number, errorMessage: string | null): State {
  if (status === 0) return { label: "Afventer i kø", tone: "closed", icon: "hourglass" };
  if (status === 1) return { label: "Ubrev sendt med succes", tone: "ok", icon: "sent" };
  return { label: errorMessage ?? "Udsendelse", tone: "err", icon: "failed" };
}

/** Of a referral's images in the archive: none to send, on their way, not taken, there. */
export const EXPORT_NO_DATA = 0;
export const EXPORT_PLANNED = 1;
export const EXPORT_FAILED = 2;
export const EXPORT_ARCHIVED = 3;

const exportStates: Readonly<Record<number, State>> = {
  0: { label: "Ingen data", tone: "closed", icon: "hourglass" },
  1: { label: "Planlagt", tone: "closed", icon: "export-planned" },
  2: { label: "Fejl i export - tjek format", tone: "err", icon: "failed" },
  3: { label: "Arkiveret korrekt", tone: "ok", icon: "done" },
};

const ARCHIVE_NOT_SET: State = { label: "Arkivet: Ikke indstillet", tone: "closed", icon: "export-planned" };

/** Whether the images have come into the archive; null says nothing. Where there is no archive, and nothing was ever planned, it says so. */
export function radiographExportState(status: number | null, isArchiveSet: boolean | null): State | null {
  if (status === null) return isArchiveSet === false ? ARCHIVE_NOT_SET : null;
  return exportStates[status] ?? null;
}
