import type { SerializeFrom } from "@remix-run/node";
import type { MergeColumn, MergeRow } from "~/components/merge-panel/merge-values";
import { presentMoving } from "~/components/merge-panel/present-merges";
import { activity } from "~/features/directory/activity";
import { showDate } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
type Clinic = Values["clinics"][number];

export const presentClinicMerge = ({ clinics, maxCounted, ...rest }: Values) => ({
  ...rest,
  columns: clinics.map((clinic): MergeColumn => ({
    id: clinic.id,
    version: clinic.version,
    name: clinic.name,
    note: `Oprettet ${showDate(clinic.createdAt)} · ID ${clinic.id}`,
    // Tells two clinics of one title apart.
    knownAs:
      clinics.filter(({ name }) => name === clinic.name).length > 1 ? `${clinic.name} (${clinic.id})` : clinic.name,
    moving: presentMoving(clinic.moving, maxCounted),
  })),
  rows: rowsOf(clinics),
  members: clinics.map(({ id, members }) => ({ id, members })),
  memberCount: new Set(clinics.flatMap(({ members }) => members.map(({ id }) => id))).size,
});

const rowsOf = (clinics: Clinic[]): MergeRow[] => {
  const row = (name: keyof Clinic, label: string, more: Partial<MergeRow> = {}): MergeRow => ({
    name,
    label,
    values: clinics.map((clinic) => String(clinic[name] ?? "")),
    ...more,
  });
  return [
    row("name", "Titel"),
    row("email", "Email", { inputMode: "email", fillsEmpty: true }),
    row("phone", "Telefon", { inputMode: "tel", fillsEmpty: true }),
    row("mobilePhone", "Mobil", { inputMode: "tel", fillsEmpty: true }),
    row("address", "Adresse", { fillsEmpty: true }),
    row("zip", "Postnummer", { fillsEmpty: true }),
    row("city", "By", { fillsEmpty: true }),
    row("status", "Status", { choices: activity }),
  ];
};
