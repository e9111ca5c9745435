import { CallUpPanel } from "~/components/call-up/call-up-panel";
import { useHasAnswer } from "~/http/forms/use-server-form";
import { Notice } from "~/ui/feedback/notice";
import { Disclosure } from "~/ui/layout/disclosure";
import { Section } from "~/ui/layout/page";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";
import { SentLines } from "./sent-lines";

/** Call-ups: staff send them here; others see what was sent. */
export function CallUpPart({ referral: { id, sections, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const isAnswered = useHasAnswer(`callUp-${id}`);
  const { callUps, callUpNotice } = sections;
  if (toPatient) {
    const { callUp } = toPatient;
    return (
      <Disclosure
        title="Indkaldelse"
        note={callUps[0] ? `${callUps[0].type}: ${callUps[0].state.label}` : "Ikke sendt"}
        id="indkaldelse"
        line
        open={callUpNotice !== null || isAnswered}
      >
        <CallUpPanel key={id} callUp={callUp} here={`${here}#indkaldelse`} isNarrow />
      </Disclosure>
    );
  }
  if (callUps.length === 0 && !callUpNotice)
    return (
      <Disclosure title="Indkaldelse" note="Ikke sendt" id="indkaldelse" line>
        <p className="meta">Ingen data...</p>
      </Disclosure>
    );
  return (
    <Section title="Indkaldelse" id="indkaldelse">
      {callUpNotice && <Notice kind="warn">{callUpNotice}</Notice>}
      <SentLines lines={callUps} />
    </Section>
  );
}
