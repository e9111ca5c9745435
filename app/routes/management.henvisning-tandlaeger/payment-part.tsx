import { useState } from "react";
import { acceptAttribute, guidanceText } from "~/features/images/file-rules";
import { approvalTypes, healthInsuranceTypes, INSURANCE, isRegional, paymentTypes, takesApprovalFile } from "~/features/referrals/referral";
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
  field(name: PaymentField): { name: string; id: string; defaultValue: string | undefined; error: string[] | undefined };
  /** Says which approval is already there. */
  approvalNote: string | undefined;
}

/**
 * Who pays. Without script every dependent field is there, under the heading that says when it is used; with script those that
 * belong to another payment are away. The server clears what does not belong (specification 2 §4).
 */
export function PaymentPart({ field, approvalNote }: PaymentPartProps) {
  const hydrated = useHydrated();
  const number = (name: PaymentField) => Number(field(name).defaultValue ?? 0);
  const [paymentType, setPaymentType] = useState(number("paymentType"));
  const [approvalType, setApprovalType] = useState(number("approvalType"));
  const [isMember, setIsMember] = useState(field("isHealthInsurance").defaultValue === "yes");
  const shows = (condition: boolean) => !hydrated || condition;
  return (
    <>
      <FormPart title="Betaling">
        <div onChange={(event) => setPaymentType(Number((event.target as HTMLInputElement).value))}>
          <RadioGroup name="paymentType" label="Betaling" choices={paymentTypes} defaultValue={number("paymentType")} />
        </div>
        {shows(paymentType === INSURANCE) && (
          <fieldset className="dependent">
            <legend className="label">Forsikringssag</legend>
            <Pair>
              <TextField {...field("insuranceCompany")} label="Forsikringsselskab" />
              <TextField {...field("policeClaim")} label="Police/skadesnr." />
            </Pair>
          </fieldset>
        )}
        {shows(isRegional(paymentType)) && (
          <fieldset className="dependent">
            <legend className="label">Regionstandpleje eller BUT</legend>
            <Pair>
              <TextField {...field("regionNumber")} label="EAN-nr." inputMode="numeric" />
              <TextField {...field("regionInstitution")} label="Institution" />
            </Pair>
            <TextField {...field("regionAddress")} label="Institutionens adresse" />
            <Pair narrow>
              <TextField {...field("regionZip")} label="Institutionens postnr." inputMode="numeric" />
              <TextField {...field("regionCity")} label="Institutionens by" />
            </Pair>
          </fieldset>
        )}
        {shows(paymentType !== 0) && (
          <fieldset className="dependent">
            <legend className="label">Bevilling (ikke for Egenbet)</legend>
            <div onChange={(event) => setApprovalType(Number((event.target as HTMLInputElement).value))}>
              <RadioGroup name="approvalType" label="Behandlingsgodkendelse" choices={approvalTypes} defaultValue={number("approvalType")} />
            </div>
            {shows(takesApprovalFile({ paymentType, approvalType })) && (
              <FileField
                {...field("approval")}
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
            defaultValue={field("isHealthInsurance").defaultValue ?? "no"}
          />
        </div>
        <SelectField
          {...field("healthInsuranceType")}
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
