import { useRef, useState } from "react";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, guidanceText } from "~/files/file-texts";
import {
  approvalAfter,
  approvalTypes,
  approvalTypesFor,
  INSURANCE,
  isRegional,
  takesApprovalFile,
} from "~/features/referrals/model/referral";
import { choiceProps, type FactIn, type FactOf, facts, lineProps } from "~/features/referrals/model/facts";
import { patientLabels } from "~/features/referrals/model/patient-labels";
import { RadioGroup } from "~/ui/forms/choices";
import type { FormField } from "~/ui/forms/field";
import { FileField, type ReceivedFile } from "~/ui/forms/file-field";
import { classNames } from "~/ui/layout/class-names";
import { FieldRow } from "~/ui/layout/page";
import { SelectField, TextField } from "~/ui/forms/fields";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";

type PaymentField = FactIn<"payment"> | "approval";

const CHOSEN = ["paymentType", "approvalType", "isHealthInsurance", "healthInsuranceType"] as const;
const NONE_CLEARED = { insurance: false, region: false };

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
  const [cleared, setCleared] = useState(NONE_CLEARED);
  const chosen = Object.fromEntries(CHOSEN.map((name) => [name, fields[name].defaultValue ?? ""]));
  const [before, setBefore] = useState(chosen);
  const followed = CHOSEN.filter((name) => chosen[name] !== before[name]);
  // A choice follows the page (`useFollowedFields`), and what it shows with it.
  if (followed.length > 0) {
    setBefore(chosen);
    if (followed.includes("paymentType")) {
      setPaymentType(number("paymentType"));
      setCleared(NONE_CLEARED);
    }
    if (followed.includes("approvalType")) setApprovalType(number("approvalType"));
    if (followed.includes("isHealthInsurance")) setIsMember(chosen["isHealthInsurance"] === "yes");
    if (followed.includes("healthInsuranceType")) setGroup(chosen["healthInsuranceType"] || "0");
  }
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
  const dependent = (name: FactIn<"payment"> & FactOf<"text">) => ({
    ...lineProps(name),
    field: fields[name],
    ...(cleared[facts[name].of] ? { defaultValue: "" } : {}),
  });
  return (
    <>
      <div className="fields-row">
        <div ref={part} onChange={(event) => pay(Number((event.target as HTMLInputElement).value))}>
          <RadioGroup
            segmented
            field={fields.paymentType}
            {...choiceProps("paymentType")}
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
            label={facts.isHealthInsurance.label}
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
        {...choiceProps("healthInsuranceType")}
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
            <TextField {...dependent("insuranceCompany")} />
            <TextField {...dependent("policeClaim")} />
          </FieldRow>
        </fieldset>
      )}
      {shows(isRegional(paymentType)) && (
        <fieldset className={dependentClass(isRegional(paymentType))}>
          <legend className="label">Regionstandpleje eller BUT</legend>
          <FieldRow>
            <TextField {...dependent("regionNumber")} />
            <TextField {...dependent("regionInstitution")} />
          </FieldRow>
          <TextField {...dependent("regionAddress")} />
          <FieldRow narrow>
            <TextField {...dependent("regionZip")} />
            <TextField {...dependent("regionCity")} />
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
              label={facts.approvalType.label}
              choices={isByScript ? approvalTypesFor(paymentType) : approvalTypes}
              defaultValue={approvalType}
              hint={isByScript ? undefined : "»Intet ekstra materiale« kan ikke vælges for en Forsikringssag."}
            />
          </div>
          {shows(takesApprovalFile({ paymentType, approvalType })) && (
            <FileField
              field={fields.approval}
              label={patientLabels.approval}
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
