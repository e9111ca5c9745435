import type { SerializeFrom } from "@remix-run/node";
import { accessFilters } from "~/features/audit-log/access-filters";
import type { AccessPage } from "~/features/audit-log/operations.server";
import { auditWords, roleWords } from "~/features/audit-log/words/audit-words";
import { presentFilter } from "~/lists/present-filter";
import { showDateTime } from "~/text/dates";
import { NO_DATA } from "./log-words";

type Values = SerializeFrom<AccessPage>;
export type ShownAccess = ReturnType<typeof presentAccess>;
export type AccessRow = ReturnType<typeof presentRow>;

const outcomes: Readonly<Record<string, string>> = { seen: "Set", done: "Gjort", refused: "Afvist" };

export const presentAccess = (list: Values) => ({
  ...list,
  ...presentFilter(accessFilters, list),
  /** The patient's document needs a whole CPR number. */
  hasPatient: list.filter.cpr?.includes("-") ?? false,
  rows: list.rows.map(presentRow),
});

const presentRow = ({
  id,
  at,
  actorKind,
  role,
  name,
  keyName,
  userName,
  operation,
  subjectUserName,
  outcome,
  referrals,
  hasMore,
}: Values["rows"][number]) => ({
  id,
  at: { iso: at, text: showDateTime(at) },
  who: whoOf({ name, userName, keyName }) ?? roleWords(actorKind, role),
  role: roleWords(actorKind, role),
  ...auditWords(operation),
  about: subjectUserName,
  outcome: outcomes[outcome] ?? outcome,
  isRefused: outcome === "refused",
  referrals,
  more: hasMore ? " og flere" : "",
  noReferral: NO_DATA,
});

/** A person or another system's key; null for neither. */
function whoOf({ name, userName, keyName }: Pick<Values["rows"][number], "name" | "userName" | "keyName">) {
  if (keyName !== null) return `API-nøgle: ${keyName}`;
  return name === null ? null : `${name} (${userName ?? ""})`;
}
