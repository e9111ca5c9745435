import { useRef, useState } from "react";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, guidanceText } from "~/files/file-texts";
import {
  approvalAfter,
  approvalTypes,
  approvalTypesFor,
  healthInsuranceTypes,
  INSURANCE,
  isRegional,
  paymentTypes,
  takesApprovalFile,
} from "~/features/referrals/model/referral";
import { RadioGroup } from "~/ui/forms/choices";
import type { FormField } from "~/ui/forms/field";
import { FileField, type ReceivedFile } from "~/ui/forms/file-field";
import { classNames } from "~/ui/layout/class-names";
import { FieldRow } from "~/ui/layout/page";
import { SelectField, TextField } from "~/ui/forms/fields";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";

type PaymentField =
  | "paymentType"
  | "insuranceCompany"
  | "policeClaim"
  | "regionNumber"
  | "regionAddress"
  | "regionInstitution"
  | "regionZip"
  | "regionCity"
  | "approvalType"
  | "approval"
  | "isHealthInsurance"
  | "healthInsuranceType";

interface PaymentFieldsProps {
  fields: Record<PaymentField, FormField>;
  approvalNote: string | undefined;
  receivedApproval: readonly ReceivedFile[];
}

/**
 * Payment. Without JavaScript all dependent fields are shown with their condition; with it others are hidden and
 * cleared. The server clears what does not belong.
 */
export function PaymentFields({ fields, approvalNote, receivedApproval }: PaymentFieldsProps) {
  const part = useRef<HTMLDivElement>(null);
  const number = (name: PaymentField) => Number(fields[name].defaultValue ?? 0);
  const [paymentType, setPaymentType] = useState(number("paymentType"));
  const [approvalType, setApprovalType] = useState(number("approvalType"));
  const [isMember, setIsMember] = useState(fields.isHealthInsurance.defaultValue === "yes");
  const [group, setGroup] = useState(fields.healthInsuranceType.defaultValue ?? "0");
  const [cleared, setCleared] = useState({ insurance: false, region: false });
  const isByScript = useHydrationHandover(part, (standing) => {
    setPaymentType(Number(standing.get("paymentType")));
    setApprovalType(Number(standing.get("approvalType")));
    setIsMember(standing.get("isHealthInsurance") === "yes");
    setGroup(String(standing.get("healthInsuranceType")));
  });
  const shows = (condition: boolean) => !isByScript || condition;
  const dependentClass = (condition: boolean) =>
    classNames(
      "max-w-[600px] border-l-[3px] border-line2 py-1 pl-4 [&>*+*]:mt-4 [&>legend]:mb-3 [&>legend]:text-base",
      !condition && "unchosen:hidden",
    );
  const pay = (type: number) => {
    setPaymentType(type);
    setApprovalType(approvalAfter(type, approvalType));
    setCleared({ insurance: cleared.insurance || type !== INSURANCE, region: cleared.region || !isRegional(type) });
  };
  const dependent = (name: PaymentField, of: keyof typeof cleared) => ({
    field: fields[name],
    ...(cleared[of] ? { defaultValue: "" } : {}),
  });
  return (
    <>
      <div className="fields-row">
        <div ref={part} onChange={(event) => pay(Number((event.target as HTMLInputElement).value))}>
          <RadioGroup
            segmented
            field={fields.paymentType}
            label="Betaling"
            choices={paymentTypes}
            defaultValue={number("paymentType")}
          />
        </div>
        <div
          onChange={(event) => {
            setIsMember((event.target as HTMLInputElement).value === "yes");
            setGroup("0");
          }}
        >
          <RadioGroup
            segmented
            field={fields.isHealthInsurance}
            label="Medlem"
            choices={[
              { value: "yes", label: "Ja" },
              { value: "no", label: "Nej" },
            ]}
            defaultValue={fields.isHealthInsurance.defaultValue ?? "no"}
          />
        </div>
      </div>
      <SelectField
        field={fields.healthInsuranceType}
        label="Gruppe"
        choices={healthInsuranceTypes}
        value={group}
        onChange={(event) => setGroup(event.currentTarget.value)}
        disabled={isByScript && !isMember}
        width={10}
        hint="Gælder kun medlemmer af Sygesikring »danmark«."
        className={isMember ? undefined : isByScript ? "hidden" : "unchosen:hidden"}
      />
      {shows(paymentType === INSURANCE) && (
        <fieldset className={dependentClass(paymentType === INSURANCE)}>
          <legend className="label">Forsikringssag</legend>
          <FieldRow>
            <TextField {...dependent("insuranceCompany", "insurance")} label="Forsikringsselskab" />
            <TextField {...dependent("policeClaim", "insurance")} label="Police/skadesnr." />
          </FieldRow>
        </fieldset>
      )}
      {shows(isRegional(paymentType)) && (
        <fieldset className={dependentClass(isRegional(paymentType))}>
          <legend className="label">Regionstandpleje eller BUT</legend>
          <FieldRow>
            <TextField {...dependent("regionNumber", "region")} label="EAN-nr." inputMode="numeric" />
            <TextField {...dependent("regionInstitution", "region")} label="Institution" />
          </FieldRow>
          <TextField {...dependent("regionAddress", "region")} label="Adresse" />
          <FieldRow narrow>
            <TextField {...dependent("regionZip", "region")} label="Postnr." inputMode="numeric" />
            <TextField {...dependent("regionCity", "region")} label="By" />
          </FieldRow>
        </fieldset>
      )}
      {shows(paymentType !== 0) && (
        <fieldset className={dependentClass(paymentType !== 0)}>
          <legend className="label">{isByScript ? "Bevilling" : "Bevilling (ikke for Egenbet)"}</legend>
          <div onChange={(event) => setApprovalType(Number((event.target as HTMLInputElement).value))}>
            <RadioGroup
              key={String(isByScript && paymentType === INSURANCE)}
              segmented
              field={fields.approvalType}
              label="Behandlingsgodkendelse"
              choices={isByScript ? approvalTypesFor(paymentType) : approvalTypes}
              defaultValue={approvalType}
              hint={isByScript ? undefined : "»Intet ekstra materiale« kan ikke vælges for en Forsikringssag."}
            />
          </div>
          {shows(takesApprovalFile({ paymentType, approvalType })) && (
            <FileField
              field={fields.approval}
              label="Behandlingsgodkendelse som fil"
              className={takesApprovalFile({ paymentType, approvalType }) ? undefined : "unchosen:hidden"}
              optional
              accept={acceptAttribute("approval")}
              types={guidanceText("approval")}
              hint={approvalNote}
              received={receivedApproval}
              refusalOf={(file) => chosenFileRefusal("approval", file)}
            />
          )}
        </fieldset>
      )}
    </>
  );
}
