import type { WizardData } from "./present";

/** Patient name and number at the end of the sticky bar; a long name is truncated, the number never. */
export function PatientIdentity({ name, cpr }: { name: string; cpr: string | null }) {
  return (
    <span className="flex tablet:flex-1 tablet:justify-end tablet:min-w-[200px] phone:order-first phone:w-[calc(100%-8px)] phone:!my-0 phone:text-meta">
      <span className="truncate">{name}</span>
      {cpr && <span className="whitespace-pre"> · {cpr}</span>}
    </span>
  );
}

export const BarIdentity = ({ wizard: { identity } }: { wizard: WizardData }) =>
  identity && <PatientIdentity {...identity} />;
