import { useSettledActionData } from "~/http/forms/use-settled-action-data";
import { Notice } from "~/ui/feedback/notice";
import { useFormErrors } from "~/http/forms/use-action-result";
import { useServerForm } from "~/http/forms/use-server-form";
import { nameOfImage } from "~/features/referrals/images/series";
import type { Radiograph } from "./radiograph-lines";
import type { UploadProgress } from "./radiograph-uploads";

/**
 * What is wrong with a form of files, for the error summary: each file that was refused under the sentence that counts them, or what was
 * said of the form as a whole under `otherwise`. The picker has no error of its own where the summary names its files.
 */
export function useUploadErrors(formId: string, otherwise: string, more: readonly string[] = []) {
  const { form, fields, formErrors } = useServerForm<{
    radiographs?: string;
    radiographsSendType?: string;
    wasAsked?: string;
  }>(formId, { guarded: "question" });
  const typing = useFormErrors("setRadiographType");
  const picker = fields.radiographs;
  const refused = useSettledActionData()?.refusal === "fileRefused" ? (picker.errors ?? []) : [];
  // A lost connection is reported to every form that asks.
  const general = [...new Set([...formErrors, ...typing, ...more])];
  const isOfFiles = refused.length > 0;
  // Of something on another step.
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

/** What the person must know of the files as a whole: the network is away, or an image is another patient's. */
export function UploadNotices({
  underWay,
  images,
  advice,
}: {
  underWay: UploadProgress;
  images: readonly Radiograph[];
  advice?: string;
}) {
  const others = images.filter((image) => image.isOfAnother);
  return (
    <>
      {underWay.waiting > 0 && (
        <Notice kind="warn" icon="offline" title="Ingen forbindelse." live>
          Overførslen fortsætter, når nettet er tilbage.
        </Notice>
      )}
      {others.length > 0 && (
        <Notice kind="warn" title="Kontrollér billederne:" live>
          {others.map(nameOfImage).join(", ")} er optaget af en patient med et andet CPR-nummer end henvisningens.{" "}
          {advice}
        </Notice>
      )}
    </>
  );
}
