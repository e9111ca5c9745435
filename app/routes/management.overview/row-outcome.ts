import type { FormAnswer } from "~/http/command.server";
import type { RowOutcome } from "./row-markup";

/** What the shell holds for the page under it: messages, and what was typed before a sign-in that came in between. */
export interface ShellMemory {
  flash: { tone: string; formId?: string }[];
  restored: { formId: string; values: Record<string, unknown> } | null;
}

const rowOf = (formId: string | undefined) => Number(/^status-(\d+)$/.exec(formId ?? "")?.[1] ?? 0);
const chosenIn = (values: Record<string, unknown> | null | undefined) => (typeof values?.status === "string" ? Number(values.status) : null);

/** How the last GEM of a row went. Only the server's answer says so: a row's version also rises when somebody else saves. */
export function rowOutcome(answer: FormAnswer | undefined, shell: ShellMemory | undefined): RowOutcome | null {
  const refused = answer?.submission?.status === "error" ? rowOf(answer.formId) : 0;
  if (refused > 0) return { rowId: refused, went: "refused", chosen: chosenIn(answer?.submission?.initialValue) };
  const restored = rowOf(shell?.restored?.formId);
  if (restored > 0) return { rowId: restored, went: "refused", chosen: chosenIn(shell?.restored?.values) };
  const said = shell?.flash.find((message) => message.tone !== "error" && rowOf(message.formId) > 0);
  return said ? { rowId: rowOf(said.formId), went: "saved", chosen: null } : null;
}
