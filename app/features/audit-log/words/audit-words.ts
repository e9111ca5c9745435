import type { Role } from "~/access/permissions";
import { roleLabel } from "~/features/people/role-names";
import { patientWords } from "./patient-words";
import { portalWords } from "./portal-words";

export interface AuditWords {
  what: string;
  purpose: string;
}

const wordsOf = new Map<string, AuditWords>(
  Object.entries({ ...patientWords, ...portalWords }).flatMap(([purpose, operations]) =>
    Object.entries(operations).map(([operation, what]): [string, AuditWords] => [operation, { what, purpose }]),
  ),
);

const unknown: AuditWords = { what: "Andet", purpose: "Portalens drift" };

export const auditWords = (operation: string): AuditWords => wordsOf.get(operation) ?? unknown;

/** The roles at the time of the event, joined by a plus. */
export function roleWords(actorKind: string, role: string | null): string {
  if (actorKind === "patientToken") return "Patienten selv";
  if (actorKind === "apiKey") return "Et andet system";
  if (actorKind === "system") return "Portalen selv";
  if (actorKind === "anonymous") return "Ikke logget ind";
  const labels = (role ?? "").split("+").map((name): string | undefined => roleLabel(name as Role));
  return labels.filter(Boolean).join(" og ") || "Medarbejder";
}
