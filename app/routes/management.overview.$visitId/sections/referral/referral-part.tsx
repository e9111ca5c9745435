import { type Fact, SummaryList } from "~/ui/lists/summary-list";
import { Section } from "~/ui/layout/page";
import { ReferralForm } from "./referral-form";
import { EditLink } from "../../edit-link";
import type { OpenReferral } from "../../open-referral";
import { ReferrerDialog } from "./referrer-dialog";

const optional = (label: string, value: string | null) => (value ? [{ label, value }] : []);

/** The two that are changed in forms here, as they are saved. */
const referrerFacts = ({ referrer }: OpenReferral): Fact[] => [
  { label: "Henviser", value: referrer.name },
  { label: "Klinik", value: referrer.clinic },
];
const caseFacts = ({ referral, referrer, ediId, isTest }: OpenReferral): Fact[] => [
  { label: "Henvisning type", value: referral.visitType },
  { label: "EDI id", value: ediId },
  { label: "Henviser id", value: referrer.externalId },
  { label: "Testhenvisning", value: isTest ? "Ja" : "Nej" },
];

/** What the dentist wrote, who refers, and who pays. */
export function ReferralPart({ referral: open }: { referral: OpenReferral }) {
  const { referral, referrer, edit, mayEdit } = open;
  const tools = (
    <div className="row">
      <EditLink referralId={open.id} part="henviser" icon="change-person">
        Skift henviser
      </EditLink>
      <EditLink referralId={open.id} part="henvisning" label="Ret henvisningens oplysninger" />
    </div>
  );
  return (
    <Section title="Henvisning" id="henvisning" tools={mayEdit && tools}>
      {edit?.referrer && <ReferrerDialog referral={open} form={edit.referrer} saved={referrerFacts(open)} />}
      {edit?.case && <ReferralForm referral={open} values={edit.case} saved={caseFacts(open)} />}
      <SummaryList
        facts={[
          ...referrerFacts(open),
          { label: "Henviser id", value: referrer.externalId },
          ...optional("E-mail", referrer.email),
          ...optional("EDI-ansvarlig tandlæge", referral.ediResponsibleDentist),
          { label: "Ønsket behandling", value: <Text text={referral.desiredTreatment} />, wide: true },
          { label: "Diagnose", value: <Text text={referral.diagnose} />, wide: true },
          { label: "Tidligere behandling", value: <Text text={referral.previousTreatment} />, wide: true },
          { label: "Kommentar", value: <Text text={referral.comment} />, wide: true },
          { label: "Hastegrad", value: referral.referenceType },
          ...optional("Henvisning type", referral.visitType),
          { label: "Indkaldelse", value: referral.callType },
          { label: "Sygesikring", value: referral.healthInsurance },
          { label: "Betaling", value: referral.payment },
          ...referral.paymentDetails,
          ...optional("Bevilling", referral.approval),
          { label: "Røntgenbilleder", value: referral.radiographs },
        ]}
      />
    </Section>
  );
}

/** Text as it was typed, with its lines. */
function Text({ text }: { text: string | null }) {
  return text ? <span className="lined">{text}</span> : "–";
}
