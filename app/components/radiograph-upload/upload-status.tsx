import { useSettledActionData, useFormErrors } from "~/http/forms/use-action-result";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { useServerForm } from "~/http/forms/action-form";
import type { WholeUpload } from "./radiograph-lines";
import type { UploadProgress } from "./radiograph-uploads";

/**
 * Errors of an upload form for the error summary: refused files under the sentence that counts them, and form errors
 * under `otherwise`.
 */
export function useUploadErrors(formId: string, otherwise: string) {
  const { form, fields, formErrors } = useServerForm<{
    radiographs?: string;
    radiographsSendType?: string;
    wasAsked?: string;
  }>(formId, { guarded: "question" });
  const typing = useFormErrors("setRadiographType");
  const picker = fields.radiographs;
  const refused = useSettledActionData()?.refusal === "fileRefused" ? (picker.errors ?? []) : [];
  // Every form reports a lost connection, so duplicates are removed.
  const general = [...new Set([...formErrors, ...typing])];
  const isOfFiles = refused.length > 0;
  const isQuestion = fields.wasAsked.errors !== undefined;
  return {
    form,
    fields,
    picker: { id: picker.id, error: isOfFiles ? undefined : picker.errors },
    summary: {
      id: form.errorId,
      title: isOfFiles ? general[0] : otherwise,
      errors: (isOfFiles ? refused : general).map((text) => (isQuestion ? { text } : { text, fieldId: picker.id })),
    },
  };
}

interface UploadNoticesProps {
  underWay: UploadProgress;
  whole: Pick<WholeUpload, "ofAnother" | "sentBefore">;
  advice?: string;
}

export function UploadNotices({ underWay, whole: { ofAnother, sentBefore }, advice }: UploadNoticesProps) {
  const more = ofAnother.count - ofAnother.names.length;
  return (
    <>
      {underWay.waiting > 0 && (
        <Notice kind="warn" icon="offline" title="Ingen forbindelse." live>
          Overførslen fortsætter, når nettet er tilbage.
        </Notice>
      )}
      {sentBefore.map(({ name, referralId }) => (
        <Notice
          key={`${name} ${referralId}`}
          kind="warn"
          title={`${name} er allerede sendt for en anden patient:`}
          live
        >
          Samme billede er på henvisning nr. {referralId}. Er det den rigtige patient? {advice}
        </Notice>
      ))}
      {ofAnother.count > 0 && (
        <Notice kind="warn" title="Kontrollér billederne:" live>
          {ofAnother.names.join(", ")}
          {more > 0 && ` og ${showCount(more)} ${more === 1 ? "fil" : "filer"} mere`} er optaget af en patient med et
          andet CPR-nummer end henvisningens. {advice}
        </Notice>
      )}
    </>
  );
}
