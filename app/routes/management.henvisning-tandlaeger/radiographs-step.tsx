import { Form } from "@remix-run/react";
import { useState } from "react";
import { acceptAttribute, guidanceText, radiographTypes } from "~/features/images/file-rules";
import { radiographsSendTypes } from "~/features/referrals/referral";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { showBytes } from "~/text/numbers";
import { Button, ButtonLink } from "~/ui/button";
import { RadioGroup } from "~/ui/choices";
import { ErrorSummary } from "~/ui/error-summary";
import { FileField } from "~/ui/file-field";
import { Notice } from "~/ui/notice";
import { FormPart, StickyBar } from "~/ui/page";
import { SelectField } from "~/ui/select-field";
import { useHydrated } from "~/ui/use-hydrated";
import { useBusy } from "./use-busy";
import type { WizardData } from "./wizard-data";

/**
 * Step 3: the X-rays, and the sending (specification 2 §2.1). Files are added as often as needed; each that has arrived is listed with
 * its type and can be taken off again. Files chosen when 'Send henvisning' is pressed go along.
 */
export function RadiographsStep({ wizard }: { wizard: WizardData }) {
  const sending = usePortalForm<{ radiographs?: string; radiographsSendType?: string }>("step3");
  const typing = usePortalForm("setRadiographType");
  const hydrated = useHydrated();
  const [sendType, setSendType] = useState(wizard.radiographsSendType);
  const [add, send] = [useBusy("addRadiographs"), useBusy("sendReferral")];
  if (wizard.referralId === null) return null;
  const general = [...sending.formErrors, ...typing.formErrors];
  return (
    <div className="panel-body">
      <ErrorSummary errors={general.map((text) => ({ text, fieldId: sending.field("radiographs").id }))} title="Henvisningen er ikke sendt endnu." />
      {wizard.images.some((image) => image.isOfAnother) && (
        <Notice kind="warn" title="Kontrollér billederne:" live>
          {wizard.images.filter((image) => image.isOfAnother).map((image) => image.fileName).join(", ")} er optaget af en patient med et andet CPR-nummer end henvisningens. Fjern filen, hvis den er forkert.
        </Notice>
      )}
      <FormPart title="Modtagne billeder" hint={wizard.images.length === 0 ? "Ingen endnu." : `${wizard.images.length} filer er modtaget.`}>
        {wizard.images.length === 0 ? (
          <p className="meta m-0">Ingen data...</p>
        ) : (
          <ul className="file-list">
            {wizard.images.map((image) => (
              <ImageLine key={image.id} image={image} referralId={wizard.referralId!} />
            ))}
          </ul>
        )}
      </FormPart>
      <Form method="post" encType="multipart/form-data" noValidate>
        <input type="hidden" name="formId" value="step3" />
        <input type="hidden" name="referralId" value={wizard.referralId} />
        <input type="hidden" name="formKey" value={wizard.formKey} />
        <FormPart title="RØNTGENBILLEDER" hint="Hvordan får klinikken billederne?">
          <div onChange={(event) => setSendType((event.target as HTMLInputElement).name === "radiographsSendType" ? Number((event.target as HTMLInputElement).value) : sendType)}>
            <RadioGroup
              name="radiographsSendType"
              label="Billederne"
              choices={radiographsSendTypes}
              defaultValue={Number(sending.field("radiographsSendType").defaultValue ?? wizard.radiographsSendType)}
              error={sending.field("radiographsSendType").error}
            />
          </div>
          {(!hydrated || sendType === 0) && (
            <fieldset className="dependent">
              <legend className="label">Tilføj filer</legend>
              <SelectField name="radiographType" label="Billedtype" choices={radiographTypes.map(({ value, label }) => ({ value, label }))} width={20} defaultValue={0} />
              <FileField
                // A picker that still names what has arrived would send it again.
                key={wizard.formKey}
                name="radiographs"
                id={sending.field("radiographs").id}
                label="Filer"
                multiple
                accept={acceptAttribute("radiograph")}
                types={guidanceText("radiograph")}
                error={sending.field("radiographs").error}
              />
              <Button name="intent" value="addRadiographs" icon="upload" state={add}>
                Tilføj filer
              </Button>
            </fieldset>
          )}
        </FormPart>
        <StickyBar form label="Trin 3">
          <Button name="intent" value="sendReferral" variant="primary" size="large" icon="send" state={send}>
            {wizard.isSent ? "Gem henvisning" : "Send henvisning"}
          </Button>
          <ButtonLink to={paths.wizardStep(wizard.referralId, 2)} size="large">
            Tilbage
          </ButtonLink>
        </StickyBar>
      </Form>
    </div>
  );
}

/** One file that has arrived: what it is, its type, and the way to take it off. */
function ImageLine({ image, referralId }: { image: WizardData["images"][number]; referralId: number }) {
  return (
    <li className="row">
      <img src={paths.referralPreview(referralId, image.id, "thumb")} alt="" width={66} height={46} loading="lazy" />
      <span className="grow">
        <b>{image.fileName}</b> <span className="meta">{showBytes(image.sizeBytes)} · modtaget{image.scanState === "clean" ? "" : " · ikke virusscannet"}</span>
      </span>
      <Form method="post" className="row" preventScrollReset>
        <input type="hidden" name="referralId" value={referralId} />
        <input type="hidden" name="fileId" value={image.id} />
        <SelectField
          name="radiographType"
          id={`type-${image.id}`}
          label={`Type for ${image.fileName}`}
          labelHidden
          choices={radiographTypes.map(({ value, label }) => ({ value, label }))}
          defaultValue={image.type}
        />
        <Button name="intent" value="setRadiographType" size="small">
          Skift type
        </Button>
        <Button name="intent" value="removeRadiograph" size="small" variant="plain" icon="delete">
          Fjern
        </Button>
      </Form>
    </li>
  );
}
