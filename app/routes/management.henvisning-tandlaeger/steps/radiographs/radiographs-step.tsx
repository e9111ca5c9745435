import { getFormProps } from "@conform-to/react";
import { type FormEvent, useRef, useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { radiographsSendTypes, URGENT } from "~/features/referrals/model/referral";
import { countFiles } from "~/features/referrals/images/series";
import { awaitingText, stuckText } from "~/features/referrals/model/missing-texts";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/feedback/notice";
import { classNames } from "~/ui/layout/class-names";
import { FormPart } from "~/ui/layout/page";
import { StickyBar } from "~/ui/layout/page-frame";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";
import { FileList, NOTHING_UNDER_WAY } from "~/components/radiograph-upload/file-list";
import { UploadNotices, useUploadErrors } from "~/components/radiograph-upload/upload-status";
import { usePageTicket } from "~/http/forms/use-ticket";
import { useBusy } from "~/http/forms/use-busy";
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
  /**
   * 'Send henvisning' was pressed before every file was announced: held, or refused because a file needs the person.
   */
  const [pressed, setPressed] = useState<"held" | "refused" | null>(null);
  const stuck = underWay.stuck.length > 0 ? stuckText(underWay.stuck) : null;
  const { form, fields, picker, summary } = useUploadErrors(
    RADIOGRAPHS_FORM,
    "Henvisningen er ikke sendt endnu.",
    pressed === "refused" && stuck ? [stuck] : [],
  );
  const ticket = usePageTicket();
  const element = useRef<HTMLFormElement>(null);
  const [sendType, setSendType] = useState(
    Number(fields.radiographsSendType.defaultValue ?? wizard.radiographsSendType),
  );
  const isByScript = useHydrationHandover(element, (standing) =>
    setSendType(Number(standing.get("radiographsSendType"))),
  );
  /** The last held press counts until another way than uploading is chosen. */
  const presses = useRef(0);
  const send = useBusy("sendReferral");
  const { referralId, images, awaiting } = wizard;
  if (referralId === null) return null;
  const count = countFiles(images);
  const isUploading = sendType === UPLOAD_NOW && underWay.pending > 0;

  const isHeld = pressed === "held" && isUploading && !underWay.isAnnounced;

  /**
   * The server must know every file before it can wait for it: usually moments, longer with hundreds of files or
   * without network. A file that needs the person keeps the page.
   */
  const holdUntilAnnounced = (event: FormEvent<HTMLFormElement>) => {
    const { queue } = underWay;
    if (!isUploading || !queue || queue.isAnnounced) return setPressed(null);
    event.preventDefault();
    setPressed("held");
    const button = event.currentTarget.querySelector<HTMLButtonElement>('button[value="sendReferral"]');
    const press = (presses.current += 1);
    void queue.allAnnounced().then((areAll) => {
      if (presses.current !== press) return;
      if (areAll) button?.click();
      else setPressed("refused");
    });
  };

  const outcome =
    isHeld || !isUploading
      ? null
      : (stuck ?? (awaiting === null && !wizard.isSent ? whenSent(wizard, underWay.pending) : null));
  return (
    <div className="panel-body" id="patient-form">
      <ErrorSummary {...summary} />
      <UploadNotices underWay={underWay} images={images} advice="Fjern filen, hvis den er forkert." />
      <FormPart title="RØNTGENBILLEDER" hint="Hvordan får klinikken billederne?">
        <div
          onChange={(event) => {
            setSendType(Number((event.target as HTMLInputElement).value));
            presses.current += 1;
            setPressed(null);
          }}
        >
          <RadioGroup
            field={fields.radiographsSendType}
            form={form.id}
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
        showsErrors
        autoComplete="off"
        encType="multipart/form-data"
        className="contents"
        {...getFormProps(form)}
        onSubmit={holdUntilAnnounced}
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
              name="intent"
              value="sendReferral"
              variant="primary"
              size="large"
              icon="send"
              state={isHeld ? "working" : send}
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
            {isHeld && (
              <ChangingText
                text={`Sendes, når ${underWay.waiting > 0 ? "nettet er tilbage, og " : ""}portalen kender alle filerne. Lad siden stå åben.`}
              />
            )}
            {outcome && <ChangingText text={outcome} />}
          </span>
          <BarIdentity wizard={wizard} />
        </StickyBar>
      </ActionForm>
    </div>
  );
}

/** What 'Send henvisning' will do, or lacks, while files are uploading. */
const whenSent = (wizard: WizardData, pending: number) =>
  Number(wizard.patient?.referenceType) === URGENT
    ? "Haste: sendes med det samme, og filerne følger efter."
    : `${awaitingText(pending)}.`;

function countOf(count: number): string {
  if (count === 0) return "Ingen er modtaget endnu.";
  return count === 1 ? "1 fil er modtaget." : `${count} filer er modtaget.`;
}
