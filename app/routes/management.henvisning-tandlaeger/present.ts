import type { readWizardPage } from "./data.server";
import type { PageOf } from "~/http/runners/page.server";
import type { PatientLookUp } from "~/features/referrals/wizard/look-up-patient.server";
import { lookUpOutcomes } from "~/features/referrals/wizard/look-up-outcomes";
import { showDateTime, showDay } from "~/text/dates";
import { usualWaitText } from "~/features/statistics/usual-wait-text";

type Values = PageOf<typeof readWizardPage>;

export const presentWizard = (wizard: Values) => ({
  ...wizard,
  stored: wizard.referralId === null ? null : (wizard.saved ?? wizard.patient),
  provenance: wizard.provenance && presentProvenance(wizard.provenance),
  restored: wizard.restored && presentMoment(wizard.restored),
  underOtherNumbers: wizard.underOtherNumbers.map(presentCopy),
  unsaved: wizard.unsaved.map(presentCopy),
  usualWait: usualWaitText(wizard.usualWaits),
});

const presentProvenance = (provenance: NonNullable<Values["provenance"]>) => ({
  creatorName: provenance.creatorName || "...",
  creatorClinic: provenance.creatorClinic || "...",
  creationTime: showDateTime(provenance.creationTime),
  modifierName: provenance.modifierName || "...",
  modifierClinic: provenance.modifierClinic || "...",
  modifyTime: showDateTime(provenance.modifyTime),
});

const presentMoment = <C extends { modifiedAt: string }>({ modifiedAt, ...copy }: C) => ({
  ...copy,
  at: showDateTime(modifiedAt),
});

const presentCopy = (copy: Values["unsaved"][number]) => ({ ...presentMoment(copy), name: copy.name ?? "uden navn" });

export function presentLookUp({ button, outcome, isAlsoKnown }: NonNullable<PatientLookUp["lookUp"]>) {
  const { succeeded, text } = lookUpOutcomes[outcome];
  return { button, succeeded, text: isAlsoKnown ? `${text} Resten er hentet fra en tidligere henvisning.` : text };
}

export const presentExisting = (found: PatientLookUp["drafts"]) =>
  found.map(({ id, date }) => ({ id, date: showDay(date) }));

export type WizardData = ReturnType<typeof presentWizard>;
