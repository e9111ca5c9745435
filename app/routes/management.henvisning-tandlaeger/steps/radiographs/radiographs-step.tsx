import { getFormProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { radiographsSendTypes } from "~/features/referrals/model/referral";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/feedback/notice";
import { FormPart, StickyBar } from "~/ui/layout/page";
import { ScanNote, scanNoteOf } from "~/ui/feedback/scan-note";
import { useHydrationHandover } from "~/ui/hooks/use-hydration-handover";
import { PlainFilePicker } from "~/components/radiograph-upload/plain-file-picker";
import { RadiographLine, UnfinishedLine } from "~/components/radiograph-upload/radiograph-lines";
import type { UploadProgress } from "~/components/radiograph-upload/radiograph-uploads";
import { UploadNotices, useUploadFaults } from "~/components/radiograph-upload/upload-status";
import { UploadPart } from "~/components/radiograph-upload/upload-part";
import { useBusy } from "~/http/forms/use-busy";
import { BarIdentity } from "../../patient-identity";
import type { WizardData } from "../../wizard-data";

export const RADIOGRAPHS_FORM = "step3";
const UPLOAD_NOW = 0;

/**
 * Step 3: the X-rays, and the sending. Without JavaScript files are added as often as needed with one type a time;
 * with JavaScript they go by themselves, each with its own type, and go on after a lost connection. What has arrived is the same list.
 */
export function RadiographsStep({ wizard }: { wizard: WizardData }) {
  const [held, setHeld] = useState<string | null>(null);
  const { form, fields, picker, summary } = useUploadFaults(
    RADIOGRAPHS_FORM,
    "Henvisningen er ikke sendt endnu.",
    held ? [held] : [],
  );
  const element = useRef<HTMLFormElement>(null);
  const [sendType, setSendType] = useState(
    Number(fields.radiographsSendType.defaultValue ?? wizard.radiographsSendType),
  );
  const isByScript = useHydrationHandover(element, (standing) =>
    setSendType(Number(standing.get("radiographsSendType"))),
  );
  const [underWay, setUnderWay] = useState<UploadProgress>({ pending: 0, waiting: 0, ids: [] });
  const send = useBusy("sendReferral");
  const { referralId, images } = wizard;
  if (referralId === null) return null;
  const unfinished = wizard.unfinished.filter(({ id }) => !underWay.ids.includes(id));

  const holdWhileUploading = (event: FormEvent<HTMLFormElement>) => {
    const isHeld = sendType === UPLOAD_NOW && underWay.pending > 0;
    if (isHeld) event.preventDefault();
    const count = underWay.pending === 1 ? "1 fil er" : `${underWay.pending} filer er`;
    setHeld(
      isHeld
        ? `${count} endnu ikke overført. Vent, til ${underWay.pending === 1 ? "den" : "de"} er færdig${underWay.pending === 1 ? "" : "e"}, eller fjern ${underWay.pending === 1 ? "den" : "dem"}.`
        : null,
    );
  };

  return (
    <div className="panel-body" id="patient-form">
      <ErrorSummary {...summary} />
      <UploadNotices underWay={underWay} images={images} advice="Fjern filen, hvis den er forkert." />
      <FormPart title="RØNTGENBILLEDER" hint="Hvordan får klinikken billederne?">
        <div onChange={(event) => setSendType(Number((event.target as HTMLInputElement).value))}>
          <RadioGroup
            field={fields.radiographsSendType}
            label="Billederne"
            choices={radiographsSendTypes}
            defaultValue={sendType}
            hint={
              !isByScript && images.length > 0
                ? "Vælges andet end 'Uploades nu', fjernes de modtagne filer."
                : undefined
            }
          />
        </div>
        {isByScript && sendType !== UPLOAD_NOW && images.length > 0 && (
          <Notice kind="warn" live>
            {images.length === 1 ? "Den modtagne fil fjernes" : `De ${images.length} modtagne filer fjernes`}, når
            henvisningen {wizard.isSent ? "gemmes" : "sendes"}.
          </Notice>
        )}
      </FormPart>
      {(!isByScript || sendType === UPLOAD_NOW) && (
        <FormPart title="Filer" hint={countOf(images.length)}>
          <ul className="file-lines" aria-label="Filer">
            {images.map((image) => (
              <RadiographLine
                key={image.id}
                image={image}
                referralId={referralId}
                scanNote={scanNoteOf(image, images)}
              />
            ))}
            {unfinished.map((upload) => (
              <UnfinishedLine key={upload.id} upload={upload} />
            ))}
          </ul>
          <ScanNote files={images} />
          <UploadPart
            referralId={referralId}
            images={images}
            unfinished={wizard.unfinished}
            inputId={picker.id}
            onUnderWay={setUnderWay}
            plain={
              <PlainFilePicker
                form={RADIOGRAPHS_FORM}
                formKey={wizard.formKey}
                inputId={picker.id}
                error={picker.error}
              />
            }
          />
        </FormPart>
      )}
      {/* A box of its own would be no higher than the bar, which then could not stick. */}
      <Form
        method="post"
        encType="multipart/form-data"
        className="contents"
        {...getFormProps(form)}
        onSubmit={holdWhileUploading}
        ref={element}
      >
        <DefaultIntent value="sendReferral" />
        <input type="hidden" name="formId" value={RADIOGRAPHS_FORM} />
        <input type="hidden" name="referralId" value={referralId} />
        <input type="hidden" name="formKey" value={wizard.formKey} />
        <input
          type="hidden"
          name="wasAsked"
          value={fields.wasAsked.errors?.join() ?? fields.wasAsked.value ?? "nothing"}
        />
        <StickyBar form label="Trin 3">
          <Button
            name="intent"
            value="sendReferral"
            variant="primary"
            size="large"
            icon="send"
            state={send}
            className="phone:flex-[1_0_auto]"
          >
            {wizard.isSent ? "Gem henvisning" : "Send henvisning"}
          </Button>
          <ButtonLink to={paths.wizardStep(referralId, 2)} size="large">
            Tilbage
          </ButtonLink>
          <BarIdentity wizard={wizard} />
        </StickyBar>
      </Form>
    </div>
  );
}

function countOf(count: number): string {
  if (count === 0) return "Ingen er modtaget endnu.";
  return count === 1 ? "1 fil er modtaget." : `${count} filer er modtaget.`;
}
