import type { OpenReferral } from "../open-referral";
import { HoldPart } from "./hold/hold-part";
import { AppointmentPart } from "./sent/appointment-part";
import { BillingPart } from "./sent/billing-part";
import { CallUpPart } from "./sent/call-up-part";
import { LinksPart } from "./sent/links-part";
import { LogPart } from "./sent/log-part";
import { MessagesPart } from "./messages/messages-part";
import { SmsPart } from "./sent/sms-part";
import { LettersPart } from "./sent/letters-part";

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
