import { Tabs } from "~/ui/layout/tabs";
import type { OpenReferral } from "./open-referral";

export function SectionLinks({ referral }: { referral: OpenReferral }) {
  return (
    <div className="px-4 desk:hidden print:hidden">
      <Tabs
        label="Afsnit"
        tabs={[
          { to: "#billeder", label: "Billeder", count: referral.images.length },
          { to: "#beskeder", label: "Beskeder", ...countOf(referral.messages.newCount) },
          { to: "#patient", label: "Patient" },
          { to: "#henvisning", label: "Henvisning" },
          { to: "#plan", label: "Plan" },
          ...(referral.files.length > 0 ? [{ to: "#filer", label: "Filer", count: referral.files.length }] : []),
          { to: "#indkaldelse", label: "Indkaldelse", ...countOf(referral.sections.callUps.length) },
          { to: "#udskrivningsbrev", label: "Udskrivningsbrev", ...countOf(referral.letters.letters.length) },
          ...(referral.mayEdit ? [{ to: "#log", label: "Log", count: referral.log.length }] : []),
        ]}
      />
    </div>
  );
}

const countOf = (count: number) => (count > 0 ? { count } : {});
