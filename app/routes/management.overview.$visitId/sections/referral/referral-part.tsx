import { triageUrgencies } from "~/features/referrals/model/triage";
import { Link } from "@remix-run/react";
import { useState } from "react";
import { ReferrerCombobox } from "~/components/referrer-picker/referrer-combobox";
import {
  FindReferrerForm,
  type Option,
  useReferrerChoice,
  ReferrerRadios,
} from "~/components/referrer-picker/referrer-picker";
import { patientLines } from "~/features/referrals/details/describe-referral";
import { closingReasons, NO_REASON } from "~/features/referrals/model/closing";
import { CLOSED } from "~/features/referrals/model/statuses";
import { visitTypes } from "~/features/referrals/model/referral";
import { useServerForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { buttonClass } from "~/ui/forms/button";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import { SelectField, TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { ShowOnChoice } from "~/ui/layout/early-scripts";
import { Verbatim } from "~/ui/layout/translation";
import { EditForm, EditLink, useEditPage } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { InlineFacts, LineSection, optional } from "../line-section";
import { patientLabels } from "~/features/referrals/model/patient-labels";
import { CprField } from "~/ui/forms/cpr-field";
import { FieldRow } from "~/ui/layout/page";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["details"]>;

function ReferralForm({ referral, values }: { referral: OpenReferral; values: Values }) {
  const form = useServerForm<Values>("editReferralDetails", {
    defaultValue: values,
    labels: {
      visitType: "Henvisning type",
      externalId: "EDI id",
      externalDoctorId: "Henviser id",
      triageUrgency: "Klinikkens vurdering",
      closedBecause: "Afsluttet fordi",
      makeTest: "Testhenvisning",
    },
  });
  const { fields } = form;
  const hydrated = useHydrated();
  const stored = fields.visitType.defaultValue;
  const [{ visitType, before }, setChoice] = useState({ visitType: stored, before: stored });
  // The choice follows the page (`useFollowedFields`), and what it shows with it.
  if (before !== stored) setChoice({ visitType: stored, before: stored });
  return (
    <EditForm referral={referral} part="henvisning" form={form}>
      <ShowOnChoice />
      <div
        onChange={(event) =>
          (event.target as HTMLInputElement).name === "visitType" &&
          setChoice({ visitType: (event.target as HTMLInputElement).value, before: stored })
        }
      >
        <RadioGroup field={fields.visitType} label="Henvisning type" choices={visitTypes} />
      </div>
      {(!hydrated || visitType === "edi") && (
        <TextField
          field={fields.externalId}
          label="EDI id"
          required={visitType === "edi"}
          hint="Kun tal. Skal udfyldes for en EDI henvisning."
          inputMode="numeric"
          width={10}
          className={visitType === "edi" ? undefined : "unchosen:hidden"}
        />
      )}
      <TextField field={fields.externalDoctorId} label="Henviser id" width={10} autoComplete="off" />
      <SelectField
        field={fields.triageUrgency}
        label="Klinikkens vurdering"
        choices={triageUrgencies}
        empty="Som henviseren skrev"
      />
      <Checkbox field={fields.hasAnaesthesia} label="Fuld narkose" />
      {referral.status === CLOSED ? (
        <SelectField field={fields.closedBecause} label="Afsluttet fordi" choices={closingReasons} empty={NO_REASON} />
      ) : (
        <input type="hidden" name="closedBecause" value={values.closedBecause} />
      )}
      <input type="hidden" name="wasAsked" value={fields.makeTest.errors?.join(" ") ?? ""} />
      <Checkbox field={fields.makeTest} label="Testhenvisning" />
    </EditForm>
  );
}

interface ReferrerDialogProps {
  referral: OpenReferral;
  form: NonNullable<NonNullable<OpenReferral["edit"]>["referrer"]>;
}

function ReferrerDialog({ referral, form }: ReferrerDialogProps) {
  const referrer = useServerForm<{
    referrerId?: string;
    referrerIdText?: string;
    changeClinic?: string;
    clinicId?: string;
  }>("changeReferrer", {
    defaultValue: { clinicId: form.clinicId === null ? "" : String(form.clinicId) },
    stored: {
      referrerId: form.referrerId === null ? "" : String(form.referrerId),
      clinicId: form.clinicId === null ? "" : String(form.clinicId),
    },
    firstInput: { referrerId: "referrerId-first" },
  });
  const { fields } = referrer;
  const hydrated = useHydrated();
  const { edit, back } = useEditPage(referral.id, "henviser");
  const { chosen, choose, round } = useReferrerChoice(form.chosen, fields.referrerIdText.defaultValue);
  const [withClinic, setWithClinic] = useState(fields.changeClinic.defaultChecked ?? false);
  const error = fields.referrerId.errors;
  return (
    <DialogPage title="Skift henviser" about={`${referral.patient.name}, nr. ${referral.id}`} closeTo={back}>
      {!hydrated && <FindReferrerForm action={edit} />}
      <EditForm referral={referral} part="henviser" form={referrer} label="Skift henviser">
        {hydrated ? (
          <ReferrerCombobox<Option>
            key={round}
            required
            choices={form.choices}
            chosen={chosen}
            onChoose={choose}
            typed={fields.referrerIdText.defaultValue}
            error={error}
            action={edit}
          />
        ) : (
          <ReferrerRadios
            choices={form.choices}
            chosen={form.chosen}
            typed={fields.referrerId.defaultValue}
            error={error}
          />
        )}
        {form.canChangeClinic && (
          <>
            <Checkbox
              field={fields.changeClinic}
              onChange={(event) => setWithClinic(event.currentTarget.checked)}
              label="Vælg også klinik"
            />
            {(!hydrated || withClinic) && (
              <SelectField field={fields.clinicId} label="Klinik" choices={form.clinics} empty="Vælg klinik" />
            )}
          </>
        )}
      </EditForm>
    </DialogPage>
  );
}

export function ReferralPart({ referral: open }: { referral: OpenReferral }) {
  const { edit, mayEdit } = open;
  return (
    <LineSection
      title="Henvisning"
      id="henvisning"
      isWhole={Boolean(edit?.details)}
      tools={
        mayEdit &&
        !edit?.details && <EditLink referralId={open.id} part="henvisning" label="Ret henvisningens oplysninger" />
      }
    >
      {edit?.referrer && <ReferrerDialog referral={open} form={edit.referrer} />}
      {edit?.details ? <ReferralForm referral={open} values={edit.details} /> : <ReferralFacts referral={open} />}
    </LineSection>
  );
}

function ReferralFacts({ referral: open }: { referral: OpenReferral }) {
  const { referral, referrer, mayEdit } = open;
  return (
    <>
      <InlineFacts
        facts={[
          { label: "Henviser", value: referrer.name },
          { label: "Klinik", value: referrer.clinic },
          { label: "Henviser id", value: referrer.externalId },
          ...optional("E-mail", referrer.email, true),
          ...optional("EDI-ansvarlig tandlæge", referral.ediResponsibleDentist),
        ]}
      />
      <InlineFacts
        facts={[
          { label: "Hastegrad", value: referral.referenceType },
          ...optional("Klinikkens vurdering", open.judgedUrgency),
          ...referral.referralLines,
          ...optional("Henvisning type", referral.visitType),
          { label: "Røntgenbilleder", value: referral.radiographs },
        ]}
      />
      {mayEdit && (
        <p className="meta mt-0.5">
          Oprettet {open.createdAt}
          {open.creatorName && (
            <>
              {" af "}
              <Verbatim>{open.creatorName}</Verbatim>
            </>
          )}
          {open.modifierName && (
            <>
              {" · Ændret af "}
              <Verbatim>{open.modifierName}</Verbatim> {open.modifiedAt}
            </>
          )}
        </p>
      )}
      <div className="flex flex-wrap -ml-2 print:hidden [&>*]:mr-2">
        {mayEdit && (
          <>
            <EditLink referralId={open.id} part="henviser" icon="change-person">
              Skift henviser
            </EditLink>{" "}
            <a
              className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
              href={`${paths.referralPdf(open.id)}?regenerate=true`}
              target="_blank"
              rel="noreferrer"
            >
              Dan ny PDF
            </a>{" "}
          </>
        )}
        {open.mayRefer && (
          <Link
            className={`${buttonClass({ variant: "plain", size: "small", fit: "tight" })} !text-left`}
            to={paths.samePatient(open.id)}
          >
            Ny henvisning for samme patient
          </Link>
        )}
      </div>
    </>
  );
}

type PatientFields = NonNullable<NonNullable<OpenReferral["edit"]>["patient"]>;

function PatientForm({ referral, values }: { referral: OpenReferral; values: PatientFields }) {
  const form = useServerForm<PatientFields>("editPatient", {
    defaultValue: values,
    firstInput: { cpr6: "editPatient-cpr6-6" },
    labels: patientLabels,
  });
  const { fields } = form;
  return (
    <EditForm referral={referral} part="patient" form={form}>
      <CprField fields={{ six: fields.cpr6, four: fields.cpr4 }} />
      <FieldRow>
        <TextField field={fields.firstName} label="Fornavn" autoComplete="off" />
        <TextField field={fields.lastName} label="Efternavn" autoComplete="off" />
      </FieldRow>
      <TextField field={fields.address} label="Adresse" autoComplete="off" />
      <FieldRow narrow>
        <TextField field={fields.zip} label="Postnr." inputMode="numeric" autoComplete="off" />
        <TextField field={fields.city} label="By" autoComplete="off" />
      </FieldRow>
      <FieldRow>
        <TextField field={fields.mobilePhone} label="Mobil" type="tel" autoComplete="off" />
        <TextField field={fields.phone} label="Telefon" type="tel" autoComplete="off" />
      </FieldRow>
      <TextField field={fields.email} label="E-mail" type="email" autoComplete="off" />
      <Checkbox field={fields.patientDoesntHaveEboks} label="Patienten har ikke e-Boks" />
    </EditForm>
  );
}

const addressOf = ({ address, zip, city }: OpenReferral["patient"]) =>
  [address, [zip, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");
const eboksOf = ({ hasEboks }: OpenReferral["patient"]) => (hasEboks ? "Tilmeldt" : "Ikke tilmeldt");

export function PatientPart({ referral: open }: { referral: OpenReferral }) {
  const { edit, mayEdit, patient, referral } = open;
  if (edit?.patient) {
    return (
      <LineSection title="Patient" id="patient" isWhole>
        <PatientForm referral={open} values={edit.patient} />
      </LineSection>
    );
  }
  return (
    <LineSection
      title="Patient"
      id="patient"
      tools={mayEdit && <EditLink referralId={open.id} part="patient" label="Ret patientens oplysninger" />}
    >
      <InlineFacts
        facts={[
          { label: "Mobil", value: patient.mobilePhone },
          ...optional("Telefon", patient.phone),
          ...optional("E-mail", patient.email, true),
          ...optional("Adresse", addressOf(patient)),
        ]}
      />
      <InlineFacts
        facts={[
          { label: "e-Boks", value: eboksOf(patient) },
          { label: "Sygesikring", value: referral.healthInsurance },
          { label: "Betaling", value: referral.payment },
          ...referral.paymentDetails,
          ...optional("Bevilling", referral.approval),
          { label: "Indkaldelse", value: referral.callType },
          ...patientLines(patient),
        ]}
      />
    </LineSection>
  );
}
