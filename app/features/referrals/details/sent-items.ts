import { type Outcome, outcomes } from "~/features/delivery/delivery-outcome";
import { type DeliveryStatus, deliveryStatuses, QUEUED, SENT, UPLOADED } from "~/features/delivery/delivery-status";

export interface State {
  label: string;
  tone: "ok" | "err" | "closed" | "ready" | "waiting";
  icon: "sent" | "failed" | "hourglass" | "done" | "export-planned";
}

/** A delivery state: 3 success (teal), 0 and 2 grey, all others error (orange). */
export function deliveryState(status: number): State {
  const label = deliveryStatuses[status as DeliveryStatus] ?? `Status ${status}`;
  if (status === SENT) return { label, tone: "ready", icon: "sent" };
  return status === QUEUED || status === UPLOADED
    ? { label, tone: "closed", icon: "hourglass" }
    : { label, tone: "waiting", icon: "failed" };
}

export const WITHDRAWN_STATE: State = { label: outcomes.withdrawn, tone: "closed", icon: "failed" };

const callUpTypes = ["Email", "Brev", "SMS", "e-Boks"];
const appointmentTypes = ["Email", "Brev", "e-Boks"];
export const callUpTypeLabel = (type: number) => callUpTypes[type] ?? "–";
export const appointmentTypeLabel = (type: number) => appointmentTypes[type] ?? "–";

export function linkState(outcome: Outcome | null): State {
  if (outcome === "sent") return { label: "Succes", tone: "ok", icon: "sent" };
  if (outcome === "queued" || outcome === "awaiting") return { label: "I kø", tone: "closed", icon: "hourglass" };
  const label = outcome === "withdrawn" ? outcomes.withdrawn : "Mislykkedes";
  return { label, tone: outcome === "withdrawn" ? "closed" : "waiting", icon: "failed" };
}

/** State of a call-up: 1 planned, 2 failed, 3 succeeded, 4 protected address. */
export function callUpState(status: number): State {
  if (status === 3) return { label: "Succes", tone: "ok", icon: "sent" };
  if (status === 1) return { label: "Igangværende", tone: "closed", icon: "hourglass" };
  return { label: status === 4 ? "Fejl hemmelig adresse" : "Mislykkedes", tone: "waiting", icon: "failed" };
}

/** Banner over call-ups, absent when all went well. The customer's wording, misspelling included. */
export const callUpNotice: Readonly<Record<number, string>> = {
  1: "Indkaldsbrev er planlagt.",
  2: "Nogle incalls har fejl.",
  4: "Indkald ikke mulig pga. hemlig adresse.",
};

/** State of a letter: 0 queued, 1 sent, 2 the error. */
export function letterState(status: number, errorMessage: string | null): State {
  if (status === 0) return { label: "Afventer i kø", tone: "closed", icon: "hourglass" };
  if (status === 1) return { label: "Ubrev sendt med succes", tone: "ok", icon: "sent" };
  return { label: errorMessage ?? "Udsendelse", tone: "err", icon: "failed" };
}

const exportStates: Readonly<Record<number, State>> = {
  0: { label: "Ingen data", tone: "closed", icon: "hourglass" },
  1: { label: "Planlagt", tone: "closed", icon: "export-planned" },
  2: { label: "Fejl i export - tjek format", tone: "err", icon: "failed" },
  3: { label: "Arkiveret korrekt", tone: "ok", icon: "done" },
};

const ARCHIVE_NOT_SET: State = { label: "Arkivet: Ikke indstillet", tone: "closed", icon: "export-planned" };

/** Archive state of a referral's images; null hides it. Says so when no archive is configured. */
export function radiographExportState(status: number | null, isArchiveSet: boolean | null): State | null {
  if (status === null) return isArchiveSet === false ? ARCHIVE_NOT_SET : null;
  return exportStates[status] ?? null;
}
