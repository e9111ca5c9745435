import { can, type Role } from "~/access/permissions";
import { accountTypes } from "./account-types";

/** What each role is called on screen; where somebody has several, the first of this order is shown. */
const roleLabels: Readonly<Record<Role, string>> = {
  Admin: "Admin",
  Surgeon: "Kirurg",
  Secretary: "Sekretær",
  "Dentist Secretary": "Tandlæge sekretær",
  Dentist: "Tandlæge",
};

const inOrder = Object.keys(roleLabels) as Role[];

export const sortRoles = (roles: readonly Role[]): Role[] =>
  [...roles].sort((one, other) => inOrder.indexOf(one) - inOrder.indexOf(other));

export const roleLabel = (role: Role | undefined): string => (role === undefined ? "" : roleLabels[role]);

/** What an account is, as its form shows it. */
export const kindOf = (roles: Role[]) => ({
  isStaff: can({ kind: "person", roles }, "site.staff"),
  isSurgeon: can({ kind: "person", roles }, "referral.followOwnPatients"),
  isSecretary: can({ kind: "person", roles }, "referral.seeClinic"),
});

export type AccountKind = ReturnType<typeof kindOf>;

/** The roles of an account of a kind. Whoever is of that kind already keeps the roles that make it so. */
export function rolesOfKind(kind: AccountKind, before: Role[] = []): Role[] {
  const was = kindOf(before);
  const isSame = kind.isStaff ? was.isSurgeon === kind.isSurgeon : was.isSecretary === kind.isSecretary;
  if (before.length > 0 && was.isStaff === kind.isStaff && isSame) return before;
  if (kind.isStaff) return [kind.isSurgeon ? "Surgeon" : "Admin"];
  return [kind.isSecretary ? "Dentist Secretary" : "Dentist"];
}

/** Who has an account of staff's. */
export const staffRoles: Role[] = inOrder.filter((role) => kindOf([role]).isStaff);

/** The kinds of account that are made. */
export const accountTypeChoices = [
  { value: accountTypes.staff, label: roleLabels.Admin },
  { value: accountTypes.referrer, label: "Henviser / Tandlæge sekretær" },
];

/** The boxes of the form. */
export const roleBoxes = { isSurgeon: "Surgeon", isSecretary: roleLabels["Dentist Secretary"] };
