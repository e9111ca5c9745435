import { can, type Role } from "~/access/permissions";

export const accountTypes = { staff: 0, referrer: 1 } as const;

/** Danish names of roles; of several the first in this order is shown. */
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

export const kindOf = (roles: Role[]) => ({
  isStaff: can({ kind: "person", roles }, "site.staff"),
  isSurgeon: can({ kind: "person", roles }, "referral.followOwnPatients"),
  isSecretary: can({ kind: "person", roles }, "referral.seeClinic"),
});

type AccountKind = ReturnType<typeof kindOf>;

export function rolesOfKind(kind: AccountKind, before: Role[] = []): Role[] {
  const was = kindOf(before);
  const isSame = kind.isStaff ? was.isSurgeon === kind.isSurgeon : was.isSecretary === kind.isSecretary;
  if (before.length > 0 && was.isStaff === kind.isStaff && isSame) return before;
  if (kind.isStaff) return [kind.isSurgeon ? "Surgeon" : "Admin"];
  return [kind.isSecretary ? "Dentist Secretary" : "Dentist"];
}

export const staffRoles: Role[] = inOrder.filter((role) => kindOf([role]).isStaff);

export const accountTypeChoices = [
  { value: accountTypes.staff, label: roleLabels.Admin },
  { value: accountTypes.referrer, label: "Henviser / Tandlæge sekretær" },
];

export const roleBoxes = { isSurgeon: "Surgeon", isSecretary: roleLabels["Dentist Secretary"] };
