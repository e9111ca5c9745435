import type { SerializeFrom } from "@remix-run/node";
import type { MergeColumn, MergeRow } from "~/components/merge-panel/merge-values";
import { presentMoving } from "~/components/merge-panel/present-merges";
import { activity } from "~/features/directory/activity";
import { NO, YES } from "~/features/merging/merge-form";
import { roleBoxes } from "~/features/people/role-names";
import { showDate } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
type User = Values["users"][number];

const yesOrNo = [
  { value: NO, label: "Ingen" },
  { value: YES, label: "Ja" },
];

export const presentUserMerge = ({ users, maxCounted, ...rest }: Values) => ({
  ...rest,
  columns: users.map((user): MergeColumn => ({
    id: user.id,
    version: user.version,
    name: user.name,
    note: `Oprettet ${showDate(user.createdAt)} · ${user.lastActiveAt ? `sidst aktiv ${showDate(user.lastActiveAt)}` : "aldrig aktiv"}`,
    knownAs: user.userName,
    moving: presentMoving(user.moving, maxCounted),
  })),
  rows: rowsOf(users),
  clinics: `Klinik: ${[...new Set(users.flatMap(({ clinics }) => clinics))].join(", ")}`,
});

const rowsOf = (users: User[]): MergeRow[] => {
  const row = (name: keyof User, label: string, more: Partial<MergeRow> = {}): MergeRow => ({
    name,
    label,
    values: users.map((user) => textOf(user[name])),
    ...more,
  });
  return [
    row("firstName", "Fornavn"),
    row("lastName", "Efternavn"),
    row("email", "Email", { inputMode: "email" }),
    row("phone", "Telefon", { inputMode: "tel", fillsEmpty: true }),
    row("mobilePhone", "Mobil", { inputMode: "tel", fillsEmpty: true }),
    row("status", "Status", { choices: activity }),
    row("dentistExternalId", "Henviser id", { fillsEmpty: true }),
    row("ediDentistId", "EDI Henviser id", { inputMode: "numeric" }),
    row("isSecretary", roleBoxes.isSecretary, { choices: yesOrNo }),
    row("sendEndingLettersViaEdi", "Send Udskrivningsbrev via EDI", { choices: yesOrNo }),
  ];
};

const textOf = (value: unknown): string => (typeof value === "boolean" ? (value ? YES : NO) : String(value ?? ""));
