import type { SerializeFrom } from "@remix-run/node";
import { activityState } from "~/components/directory-list/activity-state";
import { roleLabel } from "~/features/people/role-names";
import { userFilters } from "~/features/people/user-columns";
import { presentFilter } from "~/lists/present-filter";
import { showDate, showDateTime } from "~/text/dates";
import type { Fact } from "~/ui/lists/summary-list";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
type Open = NonNullable<Values["open"]>;
export type ListedUser = ReturnType<typeof presentRow>;
export type OpenUser = ReturnType<typeof presentOpen>;

/** What the list of users says, in words. */
export const presentUsers = (list: Values) => ({
  ...list,
  ...presentFilter(userFilters, list),
  openId: list.open?.id ?? null,
  open: list.open && presentOpen(list.open),
  rows: list.rows.map(presentRow),
});

const presentRow = (row: Values["rows"][number]) => ({
  id: row.id,
  name: row.name,
  userName: row.userName,
  clinics: row.clinics.map(({ name }) => name),
  role: roleLabel(row.roles[0]),
  state: activityState(row.status),
  createdAt: row.createdAt,
  createdOn: showDate(row.createdAt),
  hasLeft: row.hasLeft,
});

const NONE = "Ingen data...";
const moment = (value: string | null) => (value === null ? NONE : showDateTime(value));

const presentOpen = (user: Open) => ({ ...user, facts: factsOf(user) });

/** What nobody types. */
const factsOf = (user: Open): Fact[] => [
  { label: "ID", value: String(user.id) },
  { label: "Udarbejdet af", value: user.creatorUserName ?? NONE },
  { label: "Opdater", value: moment(user.createdAt) },
  { label: "Dato for password reset", value: moment(user.lastPasswordResetAt) },
  ...(user.isStaff ? [] : [{ label: "Accepterede betingelser", value: moment(user.acceptedConditionsAt) }]),
  { label: "Sidst aktiv", value: moment(user.lastActiveAt) },
];
