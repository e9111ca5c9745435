import type { FieldMetadata } from "@conform-to/react";
import { useState } from "react";
import { acceptAttribute, guidanceText } from "~/features/images/file-rules";
import { approvalTypes, healthInsuranceTypes, INSURANCE, isRegional, paymentTypes, takesApprovalFile } from "~/features/referrals/referral";
import { fieldOf } from "~/http/use-portal-form";
import { RadioGroup } from "~/ui/choices";
import { FileField } from "~/ui/file-field";
import { FormPart, Pair } from "~/ui/page";
import { SelectField } from "~/ui/select-field";
import { TextField } from "~/ui/text-field";
import { useHydrated } from "~/ui/use-hydrated";

type PaymentField =
  | "paymentType" | "insuranceCompany" | "policeClaim" | "regionNumber" | "regionAddress" | "regionInstitution" | "regionZip" | "regionCity"
  | "approvalType" | "approval" | "isHealthInsurance" | "healthInsuranceType";

interface PaymentPartProps {
  fields: Record<PaymentField, FieldMetadata<any, any, any>>;
  /** Says which approval is already there. */
  approvalNote: string | undefined;
}

/**
 * Who pays. Without script every dependent field is there, under the heading that says when it is used; with script those that
 * belong to another payment are away. The server clears what does not belong (specification 2 §4).
 */
export function PaymentPart({ fields, approvalNote }: PaymentPartProps) {
  const hydrated = useHydrated();
  const number = (field: { initialValue?: unknown }) => Number(field.initialValue ?? 0);
  const [paymentType, setPaymentType] = useState(number(fields.paymentType));
  const [approvalType, setApprovalType] = useState(number(fields.approvalType));
  const [isMember, setIsMember] = useState(fieldOf(fields.isHealthInsurance).defaultValue === "yes");
  const shows = (condition: boolean) => !hydrated || condition;
  return (
    <>
      <FormPart title="Betaling">
        <div onChange={(event) => setPaymentType(Number((event.target as HTMLInputElement).value))}>
          <RadioGroup name="paymentType" label="Betaling" choices={paymentTypes} defaultValue={number(fields.paymentType)} />
        </div>
        {shows(paymentType === INSURANCE) && (
          <fieldset className="dependent">
            <legend className="label">Forsikringssag</legend>
            <Pair>
              <TextField {...fieldOf(fields.insuranceCompany)} label="Forsikringsselskab" />
              <TextField {...fieldOf(fields.policeClaim)} label="Police/skadesnr." />
            </Pair>
          </fieldset>
        )}
        {shows(isRegional(paymentType)) && (
          <fieldset className="dependent">
            <legend className="label">Regionstandpleje eller BUT</legend>
            <Pair>
              <TextField {...fieldOf(fields.regionNumber)} label="EAN-nr." inputMode="numeric" />
              <TextField {...fieldOf(fields.regionInstitution)} label="Institution" />
            </Pair>
            <TextField {...fieldOf(fields.regionAddress)} label="Institutionens adresse" />
            <Pair narrow>
              <TextField {...fieldOf(fields.regionZip)} label="Institutionens postnr." inputMode="numeric" />
              <TextField {...fieldOf(fields.regionCity)} label="Institutionens by" />
            </Pair>
          </fieldset>
        )}
        {shows(paymentType !== 0) && (
          <fieldset className="dependent">
            <legend className="label">Bevilling (ikke for Egenbet)</legend>
            <div onChange={(event) => setApprovalType(Number((event.target as HTMLInputElement).value))}>
              <RadioGroup name="approvalType" label="Behandlingsgodkendelse" choices={approvalTypes} defaultValue={number(fields.approvalType)} />
            </div>
            {shows(takesApprovalFile({ paymentType, approvalType })) && (
              <FileField
                {...fieldOf(fields.approval)}
                label="Behandlingsgodkendelse som fil"
                optional
                accept={acceptAttribute("approval")}
                types={guidanceText("approval")}
                hint={approvalNote}
              />
            )}
          </fieldset>
        )}
      </FormPart>
      <FormPart title="Sygesikring 'danmark'">
        <div onChange={(event) => setIsMember((event.target as HTMLInputElement).value === "yes")}>
          <RadioGroup
            name="isHealthInsurance"
            label="Medlem"
            choices={[
              { value: "yes", label: "Ja" },
              { value: "no", label: "Nej" },
            ]}
            defaultValue={fieldOf(fields.isHealthInsurance).defaultValue ?? "no"}
          />
        </div>
        <SelectField
          {...fieldOf(fields.healthInsuranceType)}
          label="Gruppe"
          choices={healthInsuranceTypes}
          disabled={hydrated && !isMember}
          width={10}
          hint="Bruges kun for medlemmer."
        />
      </FormPart>
    </>
  );
}
