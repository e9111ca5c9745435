import { useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { NOTHING_UNDER_WAY } from "~/components/radiograph-upload/file-list";
import type { UploadProgress } from "~/components/radiograph-upload/radiograph-uploads";
import { WizardIntroduction } from "~/components/portal-text/portal-text";
import { patientLabels } from "~/features/referrals/model/patient-labels";
import { choiceProps, lineProps } from "~/features/referrals/model/facts";
import { hasPatientContent, UNTOUCHED } from "~/features/referrals/model/autosave-content";
import type { PatientLookUp } from "~/features/referrals/wizard/look-up-patient.server";
import { ActionForm, useBusy, receivedIn, useServerForm } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import { type FormField, inputProps } from "~/ui/forms/field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { useHydrated, useHydrationHandover } from "~/ui/hooks/use-hydrated";
import { classNames } from "~/ui/layout/class-names";
import { ShowOnChoice } from "~/ui/layout/early-scripts";
import { FormPart } from "~/ui/layout/page";
import { StickyBar } from "~/components/page-frame/page-frame";
import { ChangingText, Verbatim } from "~/ui/layout/translation";
import type { WizardData } from "../../present";
import { FilesPart, IMAGES_INPUT } from "../files-part";
import { useHeldSending } from "../use-held-sending";
import { NO_EMAIL_TEXT, NOTIFY_ME } from "../referrer/referrer-step";
import { ClinicalPart, PatientDetails } from "./patient-details";
import { FindPatient, FormIdentity, LookUpText } from "./find-patient";
import { PaymentFields } from "./payment-part";
import { UrgencyPart } from "./urgency-part";
import type { AutosaveState, FormOwner, useAutosave } from "./use-autosave";

interface PatientBarProps {
  formId: string;
  form: RefObject<HTMLFormElement>;
  wizard: WizardData;
  live: WizardData;
  underWay: UploadProgress;
  autosave: AutosaveState;
}

function PatientBar({ formId, form, wizard, live, underWay, autosave }: PatientBarProps) {
  const busy = useBusy("savePatient");
  const send = useBusy("submitReferral");
  const { isHeld, hold, heldText, outcome } = useHeldSending({
    underWay,
    isUploading: underWay.pending > 0,
    referenceType: null,
  });
  const hasImages = live.images.length + live.stagedImages.length + underWay.pending > 0;
  const isHydrated = useHydrated();
  // Without JavaScript the images come with the form.
  const maySend =
    (hasImages || !isHydrated) && !wizard.isSent && live.awaiting === null && wizard.referrer?.mayChoose === false;
  return (
    <StickyBar form label="Trin 1">
      <Button
        form={formId}
        value="savePatient"
        variant={maySend ? "outline" : "primary"}
        size="large"
        iconAfter="next"
        state={busy}
        className="phone:flex-[1_0_auto]"
      >
        Næste
      </Button>
      {maySend && (
        <Button
          form={formId}
          value="submitReferral"
          variant="primary"
          size="large"
          icon="send"
          state={isHeld ? "working" : send}
          onClick={hold}
          className={classNames("phone:flex-[1_0_auto]", !hasImages && "scripts:hidden")}
        >
          Send henvisning
        </Button>
      )}
      <FormIdentity form={form} saved={wizard.identity} />
      <span className="meta empty:!m-0" role="status">
        {maySend && (heldText ?? outcome) && <ChangingText text={(heldText ?? outcome)!} />}
        {autosave.kind === "saved" && <ChangingText text={`Gemt ${autosave.at}`} />}
        {autosave.kind === "failed" && (
          <ChangingText text="Ikke gemt endnu: ingen forbindelse, eller du er logget ud." />
        )}
      </span>
    </StickyBar>
  );
}

function OwnReferrerPart({ wizard, field }: { wizard: WizardData; field: FormField }) {
  const { referrer } = wizard;
  if (referrer === null || referrer.mayChoose || referrer.chosen === null) return null;
  const { name, email, clinic } = referrer.chosen;
  return (
    <FormPart title="Henviser">
      <div className="desk:flex items-center">
        <input type="hidden" name="withReferrer" value="on" />
        <Verbatim className="block desk:mr-6">
          {name}
          {clinic && ` · ${clinic.name}`}
        </Verbatim>
        <Checkbox className="desk:flex-none" field={field} disabled={email === ""} label={NOTIFY_ME} />
      </div>
      {email === "" && <p className="meta">{NO_EMAIL_TEXT}</p>}
    </FormPart>
  );
}

/** With JavaScript Enter in the CPR boxes searches instead of pressing the form's first button. */
function useSubmitOnEnter(form: RefObject<HTMLFormElement>): void {
  useEffect(() => {
    const element = form.current;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== "Enter" || !(target instanceof HTMLInputElement) || !/^cpr[64]$/.test(target.name)) return;
      event.preventDefault();
      element?.querySelector<HTMLButtonElement>('button[value="fetchPatient"]')?.click();
    };
    element?.addEventListener("keydown", press);
    return () => element?.removeEventListener("keydown", press);
  }, [form]);
}

type PatientFields = Partial<NonNullable<WizardData["patient"]>> & {
  journals?: string;
  approval?: string;
  radiographs?: string;
  formKey?: string;
  addressProtected?: string;
  withoutAddress?: string;
  wasAsked?: string;
  keepJournals?: string[];
  sendNotification?: string;
};

interface PatientStepProps {
  wizard: WizardData;
  live: WizardData;
  formRef: RefObject<HTMLFormElement>;
  owner: FormOwner;
  autosave: ReturnType<typeof useAutosave>;
  onOtherCpr(values: Record<string, string>, before: Record<string, string>, files: string[]): void;
  isMoved: boolean;
}

/** Distinct per form, so that an answer is not shown in its successor. */
export const patientFormId = ({ referralId, formKey }: Pick<WizardData, "referralId" | "formKey">) =>
  `step1-${referralId ?? formKey}`;

export const firstBoxOf = (wizard: WizardData) =>
  wizard.step === 1 && !wizard.patient?.cpr6 ? `${patientFormId(wizard)}-cpr6-6` : undefined;

export function PatientStep({ wizard, live, formRef: form, owner, autosave, onOtherCpr, isMoved }: PatientStepProps) {
  const formId = patientFormId(wizard);
  const keepJournals = wizard.journals.map(({ id }) => String(id));
  const sendNotification = wizard.referrer?.sendNotification ? "on" : "";
  const step = useServerForm<PatientFields>(formId, {
    intent: "savePatient",
    defaultValue: {
      ...UNTOUCHED,
      sendNotification,
      ...wizard.patient,
      ...(wizard.referralId === null ? { formKey: wizard.formKey } : {}),
      keepJournals,
    },
    stored: wizard.stored ? { ...wizard.stored, sendNotification, keepJournals } : {},
    keptOpened: wizard.restored?.opened,
    firstInput: {
      cpr6: `${formId}-cpr6-6`,
      paymentType: `${formId}-paymentType-first`,
      radiographs: IMAGES_INPUT,
    },
    labels: patientLabels,
  });
  const { fields, summary, answeredStaged, data: found } = step;
  const isAsking = useNavigation().state !== "idle";
  useSubmitOnEnter(form);
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  // A background autosave is answered with a page too, without a look-up.
  const lookUp = found && "openReferrals" in found ? (found as unknown as PatientLookUp) : undefined;
  const isProtected = fields.addressProtected.value === "on";
  const [visitType, setVisitType] = useState(fields.visitType.defaultValue ?? "simple");
  const isByScript = useHydrationHandover(form, (standing) =>
    setVisitType(String(standing.get("visitType") ?? "simple")),
  );
  const waiting = answeredStaged ?? wizard.staged;
  const leaveFor = (cpr6: string, cpr4: string) => {
    const before = textsIn(form.current!);
    const hasImages = underWay.ids.length + live.stagedImages.length + live.unfinished.length > 0;
    // Results of a look-up belong to the former number.
    if (
      wizard.referralId === null &&
      !hasPatientContent(before) &&
      filesIn(form.current!).length === 0 &&
      !hasImages &&
      !lookUp &&
      !isAsking
    )
      return false;
    autosave.close();
    const [formerSix, formerFour] = (owner.cpr() ?? "-").split("-") as [string, string];
    onOtherCpr({ cpr6, cpr4 }, { ...before, cpr6: formerSix, cpr4: formerFour }, filesIn(form.current!));
    return true;
  };
  return (
    <div className="panel-body">
      {wizard.referralId === null && (
        <WizardIntroduction
          text={wizard.introduction}
          supportEmail={wizard.supportEmail}
          supportPhone={wizard.supportPhone}
        />
      )}
      <div className="one-screen">
        <ActionForm
          operation="savePatient"
          place={formId}
          encType="multipart/form-data"
          of={step.form}
          opened={step.opened}
          ref={form}
        >
          <ShowOnChoice />
          {/* Pressed by Enter in the CPR boxes. */}
          <button className="hidden" name="intent" value="fetchPatient" tabIndex={-1} />
          {wizard.referralId === null && <input {...inputProps(fields.formKey, { type: "hidden" })} />}
          <input {...inputProps(fields.addressProtected, { type: "hidden" })} />
          <input {...inputProps(fields.withoutAddress, { type: "hidden" })} />
          <input
            type="hidden"
            name="wasAsked"
            value={
              [fields.cpr6, fields.teeth, fields.referenceType, fields.paymentType, fields.address]
                .map(({ errors }) => errors)
                .flat()
                .join(" ")
                .trim() ||
              (fields.wasAsked.value ?? "nothing")
            }
          />
          <ErrorSummary {...summary("Henvisningen er ikke gemt.")} />
          <FormPart title="Patient" hint={<LookUpText found={lookUp} />}>
            <FindPatient
              six={fields.cpr6}
              four={fields.cpr4}
              found={lookUp}
              owner={owner}
              onOtherCpr={leaveFor}
              isMoved={isMoved}
            />
            <PatientDetails fields={fields} isProtected={isProtected} found={lookUp} />
          </FormPart>
          <ClinicalPart
            wizard={wizard}
            fields={fields}
            found={lookUp}
            receivedJournals={receivedIn(waiting, "journals")}
          />
          <FormPart title="Henvisning" hint={wizard.usualWait}>
            <UrgencyPart fields={fields} advice={wizard.urgentAdvice} />
            <PaymentFields
              fields={fields}
              approvalNote={wizard.approval ? `Vedhæftet: ${wizard.approval}. En ny fil træder i stedet.` : undefined}
              receivedApproval={receivedIn(waiting, "approval")}
            />
            {wizard.mayChooseVisitType && (
              <div
                onChange={(event) =>
                  setVisitType(
                    (event.target as HTMLInputElement).name === "visitType"
                      ? (event.target as HTMLInputElement).value
                      : visitType,
                  )
                }
              >
                <RadioGroup segmented field={fields.visitType} {...choiceProps("visitType")} />
                {(!isByScript || visitType === "edi") && (
                  <TextField
                    field={fields.externalId}
                    {...lineProps("externalId")}
                    hint="Kun tal. Skal udfyldes for en EDI henvisning."
                    width={10}
                    className={visitType === "edi" ? "mt-4" : "mt-4 unchosen:hidden"}
                  />
                )}
              </div>
            )}
          </FormPart>
          <OwnReferrerPart wizard={wizard} field={fields.sendNotification} />
        </ActionForm>
        <FilesPart
          wizard={live}
          onUnderWay={setUnderWay}
          form={{ id: formId, error: fields.radiographs.errors, received: receivedIn(waiting, "radiographs") }}
        />
      </div>
      <PatientBar
        formId={formId}
        form={form}
        wizard={wizard}
        live={live}
        underWay={underWay}
        autosave={autosave.state}
      />
    </div>
  );
}

function textsIn(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

const filesIn = (form: HTMLFormElement): string[] =>
  [...new FormData(form).values()].flatMap((value) => (value instanceof File && value.name !== "" ? value.name : []));
