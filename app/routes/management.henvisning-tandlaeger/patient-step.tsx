import { Form } from "@remix-run/react";
import { useRef, useState } from "react";
import { acceptAttribute, chosenFileRefusal, guidanceText } from "~/features/images/file-rules";
import { callTypes, referenceTypes, visitTypes } from "~/features/referrals/referral";
import { heldText, usePortalForm } from "~/http/use-portal-form";
import { Button } from "~/ui/button";
import { Checkbox, RadioGroup } from "~/ui/choices";
import { ErrorSummary } from "~/ui/error-summary";
import { FileField } from "~/ui/file-field";
import { FormPart, Pair, StickyBar } from "~/ui/page";
import { TextArea, TextField } from "~/ui/text-field";
import type { PatientLookUp } from "~/features/referrals/look-up-patient.server";
import { ConflictNotice } from "./conflict-notice";
import { EmailPair } from "./email-pair";
import { FindPatientPart } from "./find-patient-part";
import { PaymentPart } from "./payment-part";
import type { WizardData } from "./wizard-data";
import { useTakenOver } from "~/ui/use-taken-over";
import { useAutosave } from "./use-autosave";
import { useBusy } from "~/http/use-busy";
import { useEnterGoesOn } from "./use-enter-goes-on";

type PatientFields = Partial<NonNullable<WizardData["patient"]>> & { journals?: string; approval?: string; formKey?: string; addressProtected?: string; keepJournals?: string };

const empty = { referenceType: "0", callType: "0", paymentType: "0", approvalType: "0", isHealthInsurance: "no", healthInsuranceType: "0", visitType: "simple" };

interface PatientStepProps {
  wizard: WizardData;
  /** By script: the CPR number was changed. Both are what stands in a form: the new one's, and the one that is left. */
  onOtherCpr(values: Record<string, string>, before: Record<string, string>): void;
  isMoved: boolean;
}

/** Step 1: who the patient is, what is wished for, and who pays (specification 2 §2.1). */
export function PatientStep({ wizard, onOtherCpr, isMoved }: PatientStepProps) {
  // Each form has a name of its own: what was answered to one is not to be seen in the one that took its place.
  const formId = `step1-${wizard.referralId ?? wizard.formKey}`;
  const { field, isTicked, summary, held, found } = usePortalForm<PatientFields>(formId, { ...empty, ...wizard.patient }, { cpr6: `${formId}-cpr6-6` });
  const form = useRef<HTMLFormElement>(null);
  const busy = useBusy("savePatient");
  const autosave = useAutosave(form);
  useEnterGoesOn(form);
  const lookUp = found as PatientLookUp | undefined;
  const isProtected = (lookUp?.values.addressProtected ?? field("addressProtected").defaultValue) === "on";
  const [visitType, setVisitType] = useState(field("visitType").defaultValue ?? "simple");
  const isByScript = useTakenOver(form, (standing) => setVisitType(String(standing.get("visitType") ?? "simple")));
  const chosen = (name: "referenceType" | "callType") => Number(field(name).defaultValue ?? 0);
  const waiting = held.length > 0 ? held : wizard.held;
  const leaveFor = (cpr6: string, cpr4: string) => {
    const before = textsIn(form.current!);
    if (!hasContent(before)) return false;
    onOtherCpr({ cpr6, cpr4 }, { ...before, cpr6: field("cpr6").defaultValue ?? "", cpr4: field("cpr4").defaultValue ?? "" });
    return true;
  };
  return (
    <Form method="post" encType="multipart/form-data" id="patient-form" className="panel-body" noValidate ref={form}>
      <input type="hidden" name="formId" value={formId} />
      <input type="hidden" name="formKey" value={field("formKey").defaultValue ?? wizard.formKey} />
      <input type="hidden" name="addressProtected" defaultValue={field("addressProtected").defaultValue ?? ""} />
      {wizard.referralId !== null && (
        <>
          <input type="hidden" name="referralId" value={wizard.referralId} />
          <input type="hidden" name="version" value={wizard.version ?? 0} />
        </>
      )}
      <ErrorSummary {...summary("Henvisningen er ikke gemt.")} />
      <ConflictNotice formId={formId} wizard={wizard} />
      {wizard.referralId === null && (
        <p className="meta">
          Udfyld felterne, og fortsæt til næste trin: så er henvisningen gemt som kladde. Har du brug for hjælp, så skriv til{" "}
          <a href={`mailto:${wizard.supportEmail}`}>{wizard.supportEmail}</a> eller ring på {wizard.supportPhone}.
        </p>
      )}
      <FindPatientPart
        id={field("cpr6").id}
        cpr6={field("cpr6").defaultValue}
        cpr4={field("cpr4").defaultValue}
        error={field("cpr6").error}
        found={lookUp}
        onOtherCpr={leaveFor}
        isMoved={isMoved}
      />
      <FormPart title="Patient" hint="Felter med * skal udfyldes.">
        <Pair>
          <TextField {...field("firstName")} label="Fornavn" required autoComplete="off" />
          <TextField {...field("lastName")} label="Efternavn" required autoComplete="off" />
        </Pair>
        <TextField {...field("profession")} label="Stilling" optional autoComplete="off" />
        <TextField {...field("address")} label="Adresse" required={!isProtected} autoComplete="off" />
        <Pair narrow>
          <TextField {...field("zip")} label="Postnr." required={!isProtected} inputMode="numeric" autoComplete="off" />
          <TextField {...field("city")} label="By" required={!isProtected} autoComplete="off" />
        </Pair>
      </FormPart>
      <FormPart title="Kontakt" hint="Klinikken bruger dem, når patienten indkaldes.">
        <Pair>
          <TextField {...field("mobilePhone")} label="Mobil" optional type="tel" autoComplete="off" />
          <TextField {...field("phone")} label="Telefon" optional type="tel" autoComplete="off" />
        </Pair>
        <EmailPair email={field("email")} confirm={field("emailConfirm")} />
      </FormPart>
      <FormPart title="Henvisning">
        <RadioGroup name="referenceType" label="Henvisningstype" choices={referenceTypes} defaultValue={chosen("referenceType")} />
        <RadioGroup name="callType" label="Indkaldelse" choices={callTypes} defaultValue={chosen("callType")} />
        {wizard.mayChooseVisitType && (
          <div onChange={(event) => setVisitType((event.target as HTMLInputElement).name === "visitType" ? (event.target as HTMLInputElement).value : visitType)}>
            <RadioGroup name="visitType" label="Henvisning type" choices={visitTypes} defaultValue={field("visitType").defaultValue ?? "simple"} />
            {(!isByScript || visitType === "edi") && (
              <TextField {...field("externalId")} label="EDI id" hint="Kun tal. Skal udfyldes for en EDI henvisning." inputMode="numeric" width={10} />
            )}
          </div>
        )}
      </FormPart>
      <FormPart title="Klinisk">
        <TextArea {...field("desiredTreatment")} label="Ønsket behandling" required rows={3} />
        <TextArea {...field("diagnose")} label="Diagnose" optional rows={2} />
        <TextArea {...field("previousTreatment")} label="Tidligere behandling" optional rows={2} />
        <TextArea {...field("comment")} label="Kommentar" optional rows={2} />
      </FormPart>
      <PaymentPart field={field} approvalNote={heldText(waiting, "approval") ?? (wizard.approval ? `Vedhæftet: ${wizard.approval}. En ny fil træder i stedet.` : undefined)} />
      <FormPart title="Journal" hint="Kopi af journalen. Røntgenbilleder vedhæftes på trin 3.">
        {wizard.journals.map((file) => (
          <Checkbox key={file.id} name="keepJournals" value={file.id} defaultChecked={isTicked("keepJournals", file.id, true)} label={`Behold ${file.fileName}`} />
        ))}
        <FileField
          // What has arrived waits, and what was refused is named: an answered picker is empty.
          key={`${field("journals").error?.join() ?? ""} ${heldText(waiting, "journals") ?? ""}`}
          {...field("journals")}
          label="Journalfiler"
          optional
          multiple
          accept={acceptAttribute("journal")}
          types={guidanceText("journal")}
          hint={heldText(waiting, "journals")}
          refusalOf={(file) => chosenFileRefusal("journal", file)}
        />
      </FormPart>
      <StickyBar form label="Trin 1">
        <Button name="intent" value="savePatient" variant="primary" size="large" iconAfter="next" state={busy}>
          Næste
        </Button>
        <span className="meta" role="status">
          {autosave.kind === "saved" && `Gemt ${autosave.at}`}
          {autosave.kind === "failed" && "Ikke gemt endnu: ingen forbindelse, eller du er logget ud."}
        </span>
      </StickyBar>
    </Form>
  );
}

function textsIn(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Whether anything stands in the form that another patient's number would make wrong. */
const hasContent = (texts: Record<string, string>) =>
  ["firstName", "lastName", "address", "mobilePhone", "phone", "email", "desiredTreatment", "diagnose", "previousTreatment", "comment"].some((name) => Boolean(texts[name]?.trim()));
