import type { ReactNode } from "react";
import { StateText } from "~/ui/lists/chip";
import { Disclosure } from "~/ui/layout/disclosure";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/layout/page";
import type { OpenReferral } from "../../open-referral";

type Sections = OpenReferral["sections"];
type Line = {
  id: number;
  type: string;
  at: string;
  state: Sections["billing"][number]["state"];
  content?: string | null;
};

/** Call-ups, with the banner of the referral's own call-up state. Nothing can be sent from here yet. */
export function CallUpPart({ sections }: { sections: Sections }) {
  const { callUps, callUpNotice } = sections;
  return (
    <Contact title="Indkaldelse" id="indkaldelse" lines={callUps} none="Ikke sendt">
      {callUpNotice && <Notice kind="warn">{callUpNotice}</Notice>}
    </Contact>
  );
}

export function AppointmentPart({ sections }: { sections: Sections }) {
  return <Contact title="Behandlingstid" id="behandlingstid" lines={sections.appointmentLetters} none="Ikke sendt" />;
}

export function BillingPart({ sections }: { sections: Sections }) {
  return <Contact title="Fakturaer og overslag" id="fakturaer" lines={sections.billing} none="Ingen endnu" />;
}

interface ContactProps {
  title: string;
  id: string;
  lines: Line[];
  none: string;
  children?: ReactNode;
}

/** What was sent, newest first: how, when, and how it went. Folded to one line while there is nothing. */
function Contact({ title, id, lines, none, children }: ContactProps) {
  if (lines.length === 0 && !children) {
    return (
      <Disclosure title={title} note={none} id={id} line>
        <p className="meta">Ingen data...</p>
      </Disclosure>
    );
  }
  return (
    <Section title={title} id={id}>
      {children}
      <ul className="sent-list divide-y divide-line">
        {lines.map((line) => (
          <li key={line.id}>
            <span>{line.type}</span>
            <span className="num">{line.at}</span>
            <StateText state={line.state} />
            {line.content && (
              <details>
                <summary>Vis tekst</summary>
                <p className="lined">{line.content}</p>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
