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

/** The same at the end of a step's sticky bar, in one line: on the screen whatever is scrolled to. A long name is cut, the number is not. */
export function BarIdentity({ wizard: { identity } }: { wizard: WizardData }) {
  return (
    identity && (
      <span className="flex tablet:flex-1 tablet:justify-end tablet:min-w-[200px] phone:order-first phone:w-[calc(100%-8px)] phone:!my-0 phone:text-meta">
        <span className="cut">{identity.name}</span>
        {identity.cpr && <span className="whitespace-pre"> · {identity.cpr}</span>}
      </span>
    )
  );
}
