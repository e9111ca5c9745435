import type { WizardData } from "./wizard-data";

/** Whom the form is about, by two marks, at the end of a step's sticky bar. A long name is cut there, the number is not. */
export function PatientIdentity({ name, cpr }: { name: string; cpr: string | null }) {
  return (
    <span className="flex tablet:flex-1 tablet:justify-end tablet:min-w-[200px] phone:order-first phone:w-[calc(100%-8px)] phone:!my-0 phone:text-meta">
      <span className="truncate">{name}</span>
      {cpr && <span className="whitespace-pre"> · {cpr}</span>}
    </span>
  );
}

/** What is saved of whom: on the screen whatever is scrolled to. */
export const BarIdentity = ({ wizard: { identity } }: { wizard: WizardData }) =>
  identity && <PatientIdentity {...identity} />;
