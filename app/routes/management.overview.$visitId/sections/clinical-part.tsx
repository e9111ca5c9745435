import type { OpenReferral } from "../open-referral";

/** The dentist's question, which triage reads first. */
export function ClinicalPart({ referral: { referral } }: { referral: OpenReferral }) {
  const texts = [
    ["Ønsket behandling", referral.desiredTreatment],
    ["Diagnose", referral.diagnose],
    ["Tidligere behandling", referral.previousTreatment],
    ["Kommentar", referral.comment],
  ] as const;
  return (
    <section className="part" id="behandling" aria-label="Ønsket behandling og diagnose">
      <dl className="ref-text">
        {texts.map(([label, text]) => (
          <Text key={label} label={label} text={text} />
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
