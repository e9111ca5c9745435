import type { OpenReferral } from "../open-referral";
import { ClinicalPart } from "./clinical-part";
import { FilesPart } from "./files/files-part";
import { ImagesPart } from "./files/images-part";
import { PatientPart } from "./patient/patient-part";
import { PlanPart } from "./plan/plan-part";
import { ReferralPart } from "./referral/referral-part";

export function ClinicalColumn({ referral }: { referral: OpenReferral }) {
  return (
    <div>
      <ClinicalPart referral={referral} />
      <ImagesPart referral={referral} />
      <PatientPart referral={referral} />
      <PlanPart referral={referral} />
      <ReferralPart referral={referral} />
      <FilesPart referral={referral} />
    </div>
  );
}
