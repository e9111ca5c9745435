import type { OpenReferral } from "../open-referral";
import { FilesPart } from "./files/files-part";
import { ImagesPart } from "./files/images-part";
import { PatientPart } from "./patient/patient-part";
import { PlanPart } from "./plan/plan-part";
import { ReferralPart } from "./referral/referral-part";

/** The patient, what the referrer asks for, and what is planned. */
export function ClinicalColumn({ referral }: { referral: OpenReferral }) {
  return (
    <>
      <PatientPart referral={referral} />
      <ReferralPart referral={referral} />
      <FilesPart referral={referral} />
      <PlanPart referral={referral} />
      <ImagesPart referral={referral} />
    </>
  );
}
