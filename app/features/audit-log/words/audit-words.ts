import type { Role } from "~/access/permissions";
import { roleLabel } from "~/features/people/role-names";
import { patientWords } from "./patient-words";
import { portalWords } from "./portal-words";

export interface AuditWords {
  /** What was done. */
  what: string;
  /** What it was for. */
  purpose: string;
}

const wordsOf = new Map<string, AuditWords>(
  Object.entries({ ...patientWords, ...portalWords }).flatMap(([purpose, operations]) =>
    Object.entries(operations).map(([operation, what]): [string, AuditWords] => [operation, { what, purpose }]),
  ),
);

/** Of a row that is older than its operation's present name. */
const unknown: AuditWords = { what: "Andet", purpose: "Portalens drift" };

/** What an operation of the audit is called, and what it is for. */
export const auditWords = (operation: string): AuditWords => wordsOf.get(operation) ?? unknown;

/** Who it was, by their role at the time; several are parted by a plus. */
export function roleWords(actorKind: string, role: string | null): string {
  if (actorKind === "patientToken") return "Patienten selv";
  if (actorKind === "apiKey") return "Et andet system";
  if (actorKind === "system") return "Portalen selv";
  if (actorKind === "anonymous") return "Ikke logget ind";
  // The database may hold a role that has been removed since.
  const labels = (role ?? "").split("+").map((name): string | undefined => roleLabel(name as Role));
  return labels.filter(Boolean).join(" og ") || "Medarbejder";
}
