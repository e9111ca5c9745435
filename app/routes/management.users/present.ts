import type { listUsers } from "~/features/people/user-list.server";
import type { PageOf } from "~/http/runners/page.server";
import { activityState } from "~/components/directory-list/directory-list";
import { presentMerges } from "~/components/merge-panel/present-merges";
import { ACTIVE } from "~/features/directory/activity";
import { roleBoxes, roleLabel } from "~/features/people/role-names";
import { userValues } from "~/features/people/user-values";
import { userView } from "~/features/people/user-list";
import { presentFilter } from "~/lists/filters";
import { showDate, showDateTime } from "~/text/dates";
import type { Fact } from "~/ui/lists/summary-list";

type Values = PageOf<typeof listUsers>;
type Open = NonNullable<Values["open"]>;
export type ListedUser = ReturnType<typeof presentRow>;
export type OpenUser = ReturnType<typeof presentOpen>;

export const presentUsers = (list: Values) => ({
  ...list,
  ...presentFilter(userView.filters, list),
  openId: list.open?.id ?? null,
  open: list.open && presentOpen(list.open),
  rows: list.rows.map(presentRow),
});

const presentRow = (row: Values["rows"][number]) => ({
  ...row,
  clinics: row.clinics.map(({ name }) => name),
  role: roleLabel(row.roles[0]),
  state: activityState(row.status),
  createdOn: showDate(row.createdAt),
});

const NONE = "Ingen data...";
const moment = (value: string | null) => (value === null ? NONE : showDateTime(value));

export const userLabels = {
  isSurgeon: roleBoxes.isSurgeon,
  isSecretary: roleBoxes.isSecretary,
  sendEndingLettersViaEdi: "Send Udskrivningsbrev via EDI",
  firstName: "Fornavn",
  lastName: "Efternavn",
  userName: "Brugernavn",
  status: "Status",
  email: "E-mail",
  dentistExternalId: "Henviser id",
  ediDentistId: "EDI Henviser id",
  phone: "Telefon",
  mobilePhone: "Mobil",
  currentPassword: "Din egen adgangskode",
  handOverTo: "Åbne sager gives til",
};

const presentOpen = (user: Open) => ({
  ...user,
  name: `${user.firstName} ${user.lastName}`,
  isActive: user.status === ACTIVE,
  clinicNames: user.clinics.map(({ name }) => name).join(", ") || NONE,
  values: userValues(user),
  facts: factsOf(user),
  saved: savedOf(user),
  merges: presentMerges(user.merges),
});

const yes = (is: boolean) => (is ? "Ja" : "Ingen");

const savedOf = (user: Open): Fact[] => [
  { label: userLabels.firstName, value: user.firstName },
  { label: userLabels.lastName, value: user.lastName },
  { label: userLabels.userName, value: user.userName },
  { label: userLabels.status, value: activityState(user.status).label },
  { label: userLabels.email, value: user.email },
  ...(user.isStaff
    ? [{ label: userLabels.isSurgeon, value: yes(user.isSurgeon) }]
    : [
        { label: userLabels.isSecretary, value: yes(user.isSecretary) },
        { label: userLabels.dentistExternalId, value: user.dentistExternalId },
        { label: userLabels.ediDentistId, value: user.ediDentistId },
        { label: userLabels.phone, value: user.phone },
        { label: userLabels.mobilePhone, value: user.mobilePhone },
      ]),
  ...(user.sendsEndingLettersViaEdi === null
    ? []
    : [{ label: userLabels.sendEndingLettersViaEdi, value: yes(user.sendsEndingLettersViaEdi) }]),
];

const factsOf = (user: Open): Fact[] => [
  { label: "ID", value: String(user.id) },
  { label: "Udarbejdet af", value: user.creatorUserName ?? NONE },
  { label: "Opdater", value: moment(user.createdAt) },
  { label: "Dato for password reset", value: moment(user.lastPasswordResetAt) },
  ...(user.isStaff ? [] : [{ label: "Accepterede betingelser", value: moment(user.acceptedConditionsAt) }]),
  { label: "Sidst aktiv", value: moment(user.lastActiveAt) },
];
