import { paths } from "~/paths";
import { Chip, StatusChip } from "~/ui/chip";
import { Tabs } from "~/ui/tabs";
import type { OpenReferral } from "./open-referral";

/** The summary: who, how urgent, from where, who changed it; and the way to each section. */
export function ReferralHead({ referral }: { referral: OpenReferral }) {
  const { patient, statusOptions } = referral;
  const status = statusOptions.find((option) => option.value === referral.status);
  return (
    <header className="open-head">
      <div className="row">
        <h2>
          Nr. {referral.id} · {patient.name}
        </h2>
        <span className="num">{patient.cpr}</span>
        <StatusChip status={{ label: referral.statusLabel, tone: status?.tone ?? "closed", icon: status?.icon ?? "closed" }} />
        {referral.isUrgent && (
          <Chip tone="urgent" icon="urgent">
            Haste henvisning
          </Chip>
        )}
        <a className="btn btn-plain btn-s push" href={paths.referralPdf(referral.id)} target="_blank" rel="noreferrer">
          Hent PDF
        </a>
      </div>
      <p className="meta">
        {referral.ediId && <>EDI {referral.ediId} · </>}Oprettet {referral.createdAt}
        {referral.modifierName && (
          <>
            {" "}
            · Ændret af <b>{referral.modifierName}</b> {referral.modifiedAt}
          </>
        )}
      </p>
      <Tabs
        label="Afsnit"
        tabs={[
          { to: "#patient", label: "Patient" },
          { to: "#henvisning", label: "Henvisning" },
          ...(referral.files.length > 0 ? [{ to: "#filer", label: "Filer", count: referral.files.length }] : []),
          { to: "#billeder", label: "Billeder", count: referral.images.length },
          { to: "#beskeder", label: "Beskeder", ...(referral.messages.newCount > 0 ? { count: referral.messages.newCount } : {}) },
          { to: "#log", label: "Log", count: referral.log.length },
        ]}
      />
    </header>
  );
}
