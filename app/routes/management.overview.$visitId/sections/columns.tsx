import { clinicalLines } from "~/features/referrals/model/clinical-facts";
import type { OpenReferral } from "../open-referral";
import { FilesPart, ImagesPart } from "./files/files-part";
import { PatientPart } from "./patient/patient-part";
import { PlanPart } from "./plan/plan-part";
import { ReferralPart } from "./referral/referral-part";
import { HoldPart } from "./hold/hold-part";
import { AppointmentPart, CallUpPart, LogPart, SmsPart } from "./sent/sent-parts";
import { BillingPart } from "./sent/billing-part";
import { LinksPart } from "./sent/links-part";
import { MessagesPart } from "./messages/messages-part";
import { LettersPart } from "./sent/letters-part";

function ClinicalPart({ referral: { referral } }: { referral: OpenReferral }) {
  return (
    <section className="part" id="behandling" aria-label="Ønsket behandling og diagnose">
      <dl className="ref-text">
        {clinicalLines(referral).map(({ label, value }) => (
          <Text key={label} label={label} text={value} />
        ))}
      </dl>
    </section>
  );
}

function Text({ label, text }: { label: string; text: string | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="lined">{text || "–"}</dd>
    </>
  );
}

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

export function ContactColumn({ referral }: { referral: OpenReferral }) {
  return (
    <div>
      <MessagesPart referral={referral} />
      <HoldPart referral={referral} />
      <CallUpPart referral={referral} />
      <AppointmentPart referral={referral} />
      {referral.toPatient && <LinksPart referralId={referral.id} links={referral.toPatient.links} />}
      <BillingPart referral={referral} />
      <LettersPart referral={referral} />
      <SmsPart referral={referral} />
      {referral.mayEdit && <LogPart referral={referral} />}
    </div>
  );
}
