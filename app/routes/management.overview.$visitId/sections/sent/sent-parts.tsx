import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Disclosure } from "~/ui/layout/disclosure";
import { StateText } from "~/ui/lists/chip";
import type { OpenReferral } from "../../open-referral";
import { ActionForm, IntentButton, receivedIn, useHasAnswer, useServerForm } from "~/http/forms/action-form";
import { MessageText, MessageWays, likeliestWay } from "~/components/patient-message/message-ways";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { CALL_UP_PART, useThisPage } from "../../edit-form";
import { callUpFormId } from "~/features/call-ups/call-up-form";
import { CallUpPanel } from "~/components/call-up/call-up-panel";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/layout/page";
import { Verbatim } from "~/ui/layout/translation";
import { SmsThread } from "~/components/sms-thread/sms-thread";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { acceptAttribute } from "~/files/file-rules";
import { guidanceText } from "~/files/file-texts";
import { useTimesSaved } from "~/http/forms/use-action-result";
import { RadioGroup } from "~/ui/forms/choices";
import { FileField } from "~/ui/forms/file-field";

type Sections = OpenReferral["sections"];

interface SentLine {
  id: number;
  type: string;
  at: string;
  state: NonNullable<Sections["billing"]>[number]["state"];
  content?: string | null;
  detail?: string | null;
}

export function SentLines<Line extends SentLine>({
  lines,
  renderAction,
}: {
  lines: readonly Line[];
  renderAction?(line: Line): ReactNode;
}) {
  if (lines.length === 0) return <p className="meta">Ingen data...</p>;
  return (
    <ul className="sent-list divide-y divide-line">
      {lines.map((line) => (
        <li key={line.id}>
          <span>{line.type}</span>
          <StateText state={line.state} />
          <span className="num">{line.at}</span>
          {line.detail && <span className="meta">{line.detail}</span>}
          {renderAction?.(line)}
          {line.content && (
            <Disclosure quiet title="Vis tekst">
              <p className="lined">{line.content}</p>
            </Disclosure>
          )}
        </li>
      ))}
    </ul>
  );
}

const FORM = "sendAppointmentLetter";

export function AppointmentPart({ referral: { id, sections, toPatient, toTell } }: { referral: OpenReferral }) {
  const { appointmentLetters } = sections;
  const here = useThisPage(id);
  const isAnswered = useHasAnswer(FORM);
  const { form, fields, summary } = useServerForm<{ appointmentType: string }>(FORM, {
    defaultValue: { appointmentType: likeliestWay(toPatient?.appointmentWays ?? []) },
    labels: { appointmentType: "Send som" },
  });
  const [type, setType] = useState(Number(fields.appointmentType.initialValue ?? -1));
  const isPossible = toPatient?.appointmentWays.some((way) => way.isPossible) ?? false;
  const newest = appointmentLetters[0];
  const hasFailed = newest?.state.tone === "waiting";
  return (
    <Disclosure
      title={toPatient ? "Send behandlingstid til patient manuelt" : "Behandlingstid"}
      note={newest ? `${newest.type}: ${newest.state.label}` : "Ikke sendt"}
      id="behandlingstid"
      line
      open={
        isAnswered || hasFailed || newest?.canWithdraw || (toPatient ? Boolean(toTell?.planned) : newest !== undefined)
      }
    >
      {toPatient && (
        <ActionForm
          operation={FORM}
          enter="nothing"
          action={`${here}#behandlingstid`}
          preventScrollReset
          of={form}
          className="stack"
        >
          <ErrorSummary {...summary("Behandlingstiden er ikke sendt.")} />
          <MessageWays
            field={fields.appointmentType}
            ways={toPatient.appointmentWays}
            chosen={type}
            onChoose={setType}
          />
          <MessageText ways={toPatient.appointmentWays} type={type} />
          <IntentButton value={FORM} icon="send" disabled={!isPossible}>
            Send behandlingstid
          </IntentButton>
        </ActionForm>
      )}
      <div className="mt-3">
        <SentLines
          lines={appointmentLetters}
          renderAction={({ id: letterId, canWithdraw }) => canWithdraw && <TakeBack letterId={letterId} here={here} />}
        />
      </div>
    </Disclosure>
  );
}

const TakeBack = ({ letterId, here }: { letterId: number; here: string }) => (
  <ActionForm
    operation="withdrawAppointmentLetter"
    item={`letterId:${letterId}`}
    place={`withdrawAppointmentLetter-${letterId}`}
    action={`${here}#behandlingstid`}
    preventScrollReset
  >
    <Button value="withdrawAppointmentLetter" variant="plain" size="small">
      Annullér
    </Button>
  </ActionForm>
);

/** Opened by its suggestion, the form shows which way is chosen; sending takes its own button. */
function focusChosenWay(form: HTMLElement | null): void {
  const part = form?.closest("details");
  if (part) part.open = true;
  form?.querySelector<HTMLElement>("input[type=radio]:checked")?.focus({ preventScroll: true });
}

export function CallUpPart({ referral: { id, sections, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const isAnswered = useHasAnswer(callUpFormId(id));
  const location = useLocation();
  const isAsked = new URLSearchParams(location.search).get("ret") === CALL_UP_PART;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === `#ret-${CALL_UP_PART}`) focusChosenWay(form.current);
  }, [location]);
  const { callUps, callUpNotice } = sections;
  if (toPatient) {
    const { callUp } = toPatient;
    return (
      <Disclosure
        title="Indkaldelse"
        note={callUps[0] ? `${callUps[0].type}: ${callUps[0].state.label}` : "Ikke sendt"}
        id="indkaldelse"
        line
        open={callUpNotice !== null || isAnswered || isAsked}
      >
        <div id={`ret-${CALL_UP_PART}`} ref={form}>
          <CallUpPanel key={id} callUp={callUp} here={`${here}#indkaldelse`} isNarrow />
        </div>
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

export function LogPart({ referral: { log, isLogCut } }: { referral: OpenReferral }) {
  const count = log.length === 1 ? "1 hændelse" : `${log.length} hændelser`;
  return (
    <Disclosure title="Log" id="log" line note={isLogCut ? `De nyeste ${count}` : count}>
      {log.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <ol className="divide-y divide-line [&>li]:py-2">
          {log.map((entry) => (
            <li key={entry.id}>
              <div>
                {entry.what && <span>{entry.what}</span>}
                {entry.what && entry.status && " · "}
                {entry.status && <b>{entry.status}</b>}
                {entry.treatmentType && <span> · {entry.treatmentType}</span>}
              </div>
              {entry.comment && <p className="lined">{entry.comment}</p>}
              <div className="meta">
                <Verbatim>{entry.who}</Verbatim> · {entry.at}
                {entry.type && ` · ${entry.type}`}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Disclosure>
  );
}

export function SmsPart({ referral: { id, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const isAnswered = useHasAnswer(`replySms-${id}`);
  if (!toPatient) return null;
  const { sms } = toPatient;
  const count = sms.messages.length;
  return (
    <Disclosure
      title="SMS"
      note={sms.hasNews ? "Nyt svar" : count === 0 ? "Ingen endnu" : count === 1 ? "1 besked" : `${count} beskeder`}
      id="sms"
      line
      open={sms.hasNews || isAnswered}
    >
      <SmsThread key={id} thread={sms} here={`${here}#sms`} />
    </Disclosure>
  );
}

const BILL_FORM = "sendBill";
const kinds = [
  { value: "invoice", label: "Faktura" },
  { value: "offer", label: "Overslag" },
];

export function BillingPart({ referral }: { referral: OpenReferral }) {
  const { billing } = referral.sections;
  const newest = billing?.[0];
  const isAnswered = useHasAnswer(BILL_FORM);
  // After sending, a new form with an empty file field.
  const timesSent = useTimesSaved(BILL_FORM);
  if (!billing) return null;
  return (
    <Disclosure
      title="Fakturaer og overslag"
      note={newest ? `${newest.type}: ${newest.state.label}` : "Ingen endnu"}
      id="fakturaer"
      line
      open={isAnswered || newest?.state.tone === "waiting" || (referral.toPatient === null && newest !== undefined)}
    >
      {referral.toPatient && <BillForm key={timesSent} referral={referral} />}
      <h4 className="mt-4">Fakturaer</h4>
      <SentLines lines={billing.filter(({ isInvoice }) => isInvoice)} />
      <h4 className="mt-3">Overslag</h4>
      <SentLines lines={billing.filter(({ isInvoice }) => !isInvoice)} />
    </Disclosure>
  );
}

function BillForm({ referral: { id, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const { form, fields, summary, staged } = useServerForm<{ billKind: string; bill?: string }>(BILL_FORM, {
    labels: { billKind: "Send som", bill: "PDF" },
    defaultValue: { billKind: "invoice" },
  });
  const obstacle = toPatient!.eboksObstacle;
  return (
    <ActionForm
      operation={BILL_FORM}
      enter="nothing"
      action={`${here}#fakturaer`}
      encType="multipart/form-data"
      preventScrollReset
      of={form}
      className="stack-s"
    >
      <ErrorSummary {...summary("Intet er sendt.")} />
      <RadioGroup field={fields.billKind} label="Hvad sendes?" choices={kinds} />
      <FileField
        field={fields.bill}
        label="PDF til patienten"
        accept={acceptAttribute("bill")}
        types={guidanceText("bill")}
        received={receivedIn(staged, "bill")}
      />
      <div className="row">
        <IntentButton value={BILL_FORM} icon="eboks" disabled={obstacle !== null}>
          Send med e-Boks
        </IntentButton>
        {obstacle && <span className="meta">{obstacleTexts[obstacle]}</span>}
      </div>
    </ActionForm>
  );
}
