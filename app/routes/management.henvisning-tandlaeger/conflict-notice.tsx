import { useActionData } from "@remix-run/react";
import { approvalTypes, callTypes, type Choice, labelOf, paymentTypes, referenceTypes } from "~/features/referrals/referral";
import type { FormAnswer } from "~/http/command.server";
import { FactList } from "~/ui/facts";
import { Notice } from "~/ui/notice";
import type { WizardData } from "./wizard-data";

type Patient = NonNullable<WizardData["saved"]>;

const labels: Partial<Record<keyof Patient, string | [label: string, choices: readonly Choice[]]>> = {
  cpr6: "CPR-nummer, 6 cifre", cpr4: "CPR-nummer, 4 cifre", firstName: "Fornavn", lastName: "Efternavn", profession: "Stilling", address: "Adresse", zip: "Postnr.", city: "By",
  mobilePhone: "Mobil", phone: "Telefon", email: "E-mail", referenceType: ["Henvisningstype", referenceTypes], callType: ["Indkaldelse", callTypes], externalId: "EDI id",
  desiredTreatment: "Ønsket behandling", diagnose: "Diagnose", previousTreatment: "Tidligere behandling", comment: "Kommentar", paymentType: ["Betaling", paymentTypes],
  insuranceCompany: "Forsikringsselskab", policeClaim: "Police/skadesnr.", regionNumber: "EAN-nr.", regionInstitution: "Institution", regionAddress: "Institutionens adresse",
  regionZip: "Institutionens postnr.", regionCity: "Institutionens by", approvalType: ["Behandlingsgodkendelse", approvalTypes],
};

/** Somebody else was first: what is saved by now and differs from what was typed, so that whoever goes on knows what he overwrites. */
export function ConflictNotice({ formId, wizard }: { formId: string; wizard: WizardData }) {
  const answer = useActionData<FormAnswer>();
  if (answer?.formId !== formId || answer.refusal !== "conflict") return null;
  const typed = (answer.submission?.initialValue ?? {}) as Partial<Record<string, string>>;
  const saved = (wizard.saved ?? wizard.patient) as Partial<Patient> | null;
  const differing = Object.entries(labels).flatMap(([name, label]) => {
    const value = saved?.[name as keyof Patient] ?? "";
    if (typeof label === "string") return value === (typed[name] ?? "") ? [] : [{ label, value }];
    // What the form did not show, such as an approval for Egenbet, is the first choice.
    return value === (typed[name] ?? "0") ? [] : [{ label: label[0], value: labelOf(label[1], Number(value)) }];
  });
  return (
    <Notice kind="warn" title="Sådan står der nu:">
      <FactList facts={differing} />
      <p>Dit eget står i felterne herunder. Tryk Næste, hvis det skal gælde i stedet.</p>
    </Notice>
  );
}
