import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { removeStagedUpload } from "~/files/staging/staged-upload-store.server";
import type { Portal } from "~/portal.server";
import type { Outcome } from "./answer-form.server";
import type { SubmittedForm } from "./submitted-form.server";

/** 'Fjern' on a staged file: removes it and returns the form as typed. Null for other buttons. */
export async function removeFromForm(portal: Portal, caller: Caller, form: SubmittedForm): Promise<Outcome | null> {
  if (form.removesStaged === null) return null;
  const input = { stagedId: form.removesStaged, formKey: form.formKey ?? "" };
  const result = await execute(portal, caller, removeStagedUpload, plainInput(input));
  return { kind: "done", result, isFlashKept: false };
}
