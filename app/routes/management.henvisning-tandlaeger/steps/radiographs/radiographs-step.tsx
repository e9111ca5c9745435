import { useRef, useState } from "react";
import { ActionForm, useBusy } from "~/http/forms/action-form";
import { radiographsSendTypes } from "~/features/referrals/model/referral";
import { paths } from "~/paths";
import { Button, ButtonLink, EnterButton } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/feedback/notice";
import { classNames } from "~/ui/layout/class-names";
import { FormPart } from "~/ui/layout/page";
import { StickyBar } from "~/components/page-frame/page-frame";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";
import { FileList, NOTHING_UNDER_WAY } from "~/components/radiograph-upload/file-list";
import { UploadNotices, useUploadErrors } from "~/components/radiograph-upload/upload-status";
import { usePageTicket } from "~/http/forms/use-action-result";
import { useHeldSending } from "../use-held-sending";
import { BarIdentity } from "../../patient-identity";
import type { WizardData } from "../../present";
import { ChangingText } from "~/ui/layout/translation";

export const RADIOGRAPHS_FORM = "step3";
const UPLOAD_NOW = 0;

/**
 * Step 3: X-rays and sending. Without JavaScript files are added with one type at a time; with it they upload
 * individually and resume, and 'Send henvisning' may be pressed meanwhile (docs/rules/sending-with-files.md).
 */
export function RadiographsStep({ wizard }: { wizard: WizardData }) {
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  const { form, fields, picker, summary } = useUploadErrors(RADIOGRAPHS_FORM, "Henvisningen er ikke sendt endnu.");
  const ticket = usePageTicket();
  const element = useRef<HTMLFormElement>(null);
  const [sendType, setSendType] = useState(
    Number(fields.radiographsSendType.defaultValue ?? wizard.radiographsSendType),
  );
  const isByScript = useHydrationHandover(element, (standing) =>
    setSendType(Number(standing.get("radiographsSendType"))),
  );
  const send = useBusy("sendReferral");
  const { referralId, whole, awaiting } = wizard;
  const isUploading = sendType === UPLOAD_NOW && underWay.pending > 0;
  const { isHeld, hold, release, refusal, heldText, outcome } = useHeldSending({
    underWay,
    isUploading,
    referenceType: awaiting === null && !wizard.isSent ? Number(wizard.patient?.referenceType) : null,
  });
  if (referralId === null) return null;
  const count = whole.files;
  const errors = refusal === null ? summary.errors : [...summary.errors, { text: refusal, fieldId: picker.id }];
  return (
    <div className="panel-body" id="patient-form">
      {/* Before the upload, which Enter on a choice would press. */}
      <EnterButton does="nothing" form={form.id} />
      <ErrorSummary {...summary} errors={errors} />
      <UploadNotices underWay={underWay} whole={whole} advice="Fjern filen, hvis den er forkert." />
      <FormPart title="RØNTGENBILLEDER" hint="Hvordan får klinikken billederne?">
        <div
          onChange={(event) => {
            setSendType(Number((event.target as HTMLInputElement).value));
            release();
          }}
        >
          <RadioGroup
            field={fields.radiographsSendType}
            form={form.id}
            label="Billederne"
            choices={radiographsSendTypes}
            defaultValue={sendType}
            hint={!isByScript && count > 0 ? "Vælges andet end »Uploades nu«, fjernes de modtagne filer." : undefined}
          />
        </div>
        {isByScript && sendType !== UPLOAD_NOW && count > 0 && (
          <Notice kind="warn" live>
            {count === 1 ? "Den modtagne fil fjernes" : `De ${count} modtagne filer fjernes`}, når henvisningen{" "}
            {wizard.isSent ? "gemmes" : "sendes"}.
          </Notice>
        )}
      </FormPart>
      {(!isByScript || sendType === UPLOAD_NOW) && (
        <FormPart
          title="Filer"
          hint={
            <>
              {countOf(count)}
              {outcome && (
                <span className="tablet:hidden" aria-hidden="true">
                  {" "}
                  {outcome}
                </span>
              )}
            </>
          }
        >
          <FileList
            target={{ referralId }}
            isSent={wizard.isSent}
            files={wizard}
            inputId={picker.id}
            onUnderWay={setUnderWay}
            form={{ id: RADIOGRAPHS_FORM, key: ticket.sealed, error: picker.error }}
          />
        </FormPart>
      )}
      {/* In a box of its own the bar could not be sticky. */}
      <ActionForm
        operation="sendReferral"
        place={RADIOGRAPHS_FORM}
        autoComplete="off"
        encType="multipart/form-data"
        className="contents"
        of={form}
        ref={element}
      >
        <input
          type="hidden"
          name="wasAsked"
          value={fields.wasAsked.errors?.join() ?? fields.wasAsked.value ?? "nothing"}
        />
        {isUploading && <input type="hidden" name="waitForFiles" value="on" />}
        <StickyBar form label="Trin 3">
          {awaiting === null && (
            <Button
              value="sendReferral"
              variant="primary"
              size="large"
              icon="send"
              state={isHeld ? "working" : send}
              onClick={hold}
              className="phone:flex-[1_0_auto] phone:!px-3 phone:[&>svg]:hidden"
            >
              {wizard.isSent ? "Gem henvisning" : "Send henvisning"}
            </Button>
          )}
          <ButtonLink to={paths.wizardStep(referralId, 2)} size="large" className="phone:!px-3">
            Tilbage
          </ButtonLink>
          {/* On phones it is shown at the files, so that the bar has two lines. */}
          <span className={classNames("meta empty:!m-0", !isHeld && "phone:sr-only")} role="status">
            {heldText && <ChangingText text={heldText} />}
            {outcome && <ChangingText text={outcome} />}
          </span>
          <BarIdentity wizard={wizard} />
        </StickyBar>
      </ActionForm>
    </div>
  );
}

function countOf(count: number): string {
  if (count === 0) return "Ingen er modtaget endnu.";
  return count === 1 ? "1 fil er modtaget." : `${count} filer er modtaget.`;
}
