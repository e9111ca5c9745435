import type { SerializeFrom } from "@remix-run/node";
import { Form, useActionData } from "@remix-run/react";
import { useState } from "react";
import type { FormAnswer } from "~/http/command.server";
import { usePortalForm } from "~/http/use-portal-form";
import { ButtonLink } from "~/ui/button";
import { DialogPage } from "~/ui/dialog";
import { ErrorSummary } from "~/ui/error-summary";
import { Notice } from "~/ui/notice";
import { PlainFilePicker } from "../management.henvisning-tandlaeger/plain-file-picker";
import { RadiographLine, UnfinishedLine } from "../management.henvisning-tandlaeger/radiograph-lines";
import type { UploadsUnderWay } from "../management.henvisning-tandlaeger/radiograph-uploads";
import { UploadPart } from "../management.henvisning-tandlaeger/upload-part";
import { useImagePages } from "../management.overview.$visitId/use-image-pages";
import type { loader } from "./route";

const FORM = "uploadImages";

/** The same lines, rules and upload as step 3 of the wizard (specification 2 §2.1); what has arrived stays also when the dialog is closed. */
export function UploadDialog({ dialog }: { dialog: SerializeFrom<typeof loader> }) {
  const { referralId, images, mayChange } = dialog;
  const { formErrors, field } = usePortalForm<{ radiographs?: string }>(FORM);
  const typing = usePortalForm("setRadiographType");
  const refusal = useActionData<FormAnswer>()?.refusal;
  const [underWay, setUnderWay] = useState<UploadsUnderWay>({ pending: 0, waiting: 0, ids: [] });
  const pages = useImagePages(referralId);
  const picker = field("radiographs");
  const refusedFiles = refusal === "fileRefused" ? (picker.error ?? []) : [];
  const general = [...formErrors, ...typing.formErrors];
  const others = images.filter((image) => image.isOfAnother);
  return (
    <div id="roentgenbilleder">
      <DialogPage title="RØNTGENBILLEDER" closeTo={pages.images}>
        <div className="upload-dialog">
          <p>
            {dialog.patientName}, nr. {referralId}
          </p>
          <div className="notices">
            {underWay.waiting > 0 && (
              <Notice kind="warn" title="Ingen forbindelse." live>
                Overførslen fortsætter, når nettet er tilbage.
              </Notice>
            )}
            {others.length > 0 && (
              <Notice kind="warn" title="Kontrollér billederne:" live>
                {others.map((image) => image.fileName).join(", ")} er optaget af en patient med et andet CPR-nummer end henvisningens.
              </Notice>
            )}
          </div>
          {refusedFiles.length > 0 ? (
            <ErrorSummary errors={refusedFiles.map((text) => ({ text, fieldId: picker.id }))} title={general[0]} />
          ) : (
            <ErrorSummary errors={general.map((text) => ({ text, fieldId: picker.id }))} title="Filerne er ikke modtaget." />
          )}
          <UploadPart
            referralId={referralId}
            images={images}
            unfinished={dialog.unfinished}
            inputId={picker.id}
            onUnderWay={setUnderWay}
            plain={<PlainFilePicker form={FORM} formKey={dialog.formKey} inputId={picker.id} error={refusedFiles.length > 0 ? undefined : picker.error} />}
          />
          <ul className="file-lines" aria-label="Filer">
            {images.map((image) => (
              <RadiographLine key={image.id} image={image} referralId={referralId} may={mayChange ? "retype" : "look"} />
            ))}
            {dialog.unfinished
              .filter(({ id }) => !underWay.ids.includes(id))
              .map((upload) => (
                <UnfinishedLine key={upload.id} upload={upload} />
              ))}
          </ul>
          <Form method="post" encType="multipart/form-data" noValidate id={FORM} preventScrollReset>
            <input type="hidden" name="formId" value={FORM} />
            <input type="hidden" name="referralId" value={referralId} />
            <input type="hidden" name="formKey" value={dialog.formKey} />
          </Form>
          {underWay.pending > 0 && <p className="meta">Vinduet kan lukkes imens: overførslen fortsætter, så længe siden er åben.</p>}
          <div className="row">
            <ButtonLink to={pages.images} preventScrollReset>
              Luk
            </ButtonLink>
          </div>
        </div>
      </DialogPage>
    </div>
  );
}
