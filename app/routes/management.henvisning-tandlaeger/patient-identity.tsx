import type { WizardData } from "./wizard-data";

/** Whom the form is about, by two marks: the name and the CPR number. */
export function PatientIdentity({ name, cpr }: { name: string; cpr: string | null }) {
  return (
    <>
      {name}
      {cpr && <span className="whitespace-nowrap"> · {cpr}</span>}
    </>
  );
}

/** The same at the end of a step's sticky bar: on the screen whatever is scrolled to. */
export function BarIdentity({ wizard: { identity } }: { wizard: WizardData }) {
  return (
    identity && (
      <span className="push phone:order-first phone:w-full phone:!ml-1 phone:mb-1 phone:text-meta">
        <PatientIdentity {...identity} />
      </span>
    )
  );
}
