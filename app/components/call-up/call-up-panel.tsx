import { useState } from "react";
import type { SerializeFrom } from "@remix-run/node";
import { MessageText, MessageWays, presentWays } from "~/components/patient-message/message-ways";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea, TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { FieldRow } from "~/ui/layout/page";
import { Badge, StateText } from "~/ui/lists/chip";
import { type Fact, SummaryList } from "~/ui/lists/summary-list";
import { OTHER_NAME } from "~/features/referrals/model/name-question";
import { callUpWays } from "~/features/patient-messages/ways";
import { callUpNotice, callUpState, callUpTypeLabel } from "~/features/referrals/details/sent-items";
import { callUpFormId } from "~/features/call-ups/call-up-form";
import type { OpenCallUp } from "~/features/call-ups/read-open-call-up.server";
import { showShortDateTime } from "~/text/dates";

const WITHDRAWN = { label: "Annulleret", tone: "closed", icon: "closed" } as const;

type ShownCallUp = ReturnType<typeof presentCallUp>;

const LIKELIEST = [3, 2, 0, 1];

const contactLabels = {
  patientAddress: "Adresse",
  patientZip: "Postnr.",
  patientCity: "By",
  patientMobilePhone: "Mobil",
  patientPhone: "Telefon",
  patientEmail: "E-mail",
  incallComment: "Kommentar",
};

export function presentCallUp(callUp: SerializeFrom<OpenCallUp>) {
  const failed = new Set(
    callUp.log
      .filter(({ status, outcome }) => status !== 3 && status !== 1 && outcome !== "withdrawn")
      .map(({ type }) => type),
  );
  const ways = presentWays(callUp.ways, callUpWays, {
    print: letterHint(
      callUp.ways.some(({ wasProtected }) => wasProtected),
      callUp.printsInHouse,
    ),
  });
  const possible = LIKELIEST.flatMap((type) => ways.find((way) => way.type === type && way.isPossible) ?? []);
  const contact = {
    patientAddress: callUp.contact.address ?? "",
    patientZip: callUp.contact.zip ?? "",
    patientCity: callUp.contact.city ?? "",
    patientMobilePhone: callUp.contact.mobilePhone ?? "",
    patientPhone: callUp.contact.phone ?? "",
    patientEmail: callUp.contact.email ?? "",
    incallComment: callUp.contact.comment ?? "",
  };
  return {
    ...callUp,
    contact,
    ways,
    chosenType: (possible.find(({ type }) => !failed.has(type)) ?? possible[0])?.type ?? null,
    notice: callUpNotice[callUp.callUpStatus ?? 0] ?? null,
    error: callUp.callUpStatus === 2 || callUp.callUpStatus === 4 ? (callUp.log[0]?.error ?? null) : null,
    awaiting: callUp.awaitingType === null ? null : callUpTypeLabel(callUp.awaitingType),
    wasSent: callUp.log.some(({ status }) => status === 3),
    log: callUp.log.map((entry) => ({
      ...entry,
      type: callUpTypeLabel(entry.type),
      at: showShortDateTime(entry.at),
      state: entry.outcome === "withdrawn" ? WITHDRAWN : callUpState(entry.status),
      detail: entry.error,
    })),
  };
}

function letterHint(wasProtected: boolean, printsInHouse: boolean): string | undefined {
  if (wasProtected) return "Adressen var hemmelig sidste gang. CPR-registret spørges igen";
  return printsInHouse ? "Kommer med i næste brevbunke" : undefined;
}

function CallUpLog({ log }: { log: ShownCallUp["log"] }) {
  return (
    <section aria-label="Tidligere indkaldelser">
      <h3>
        Tidligere indkaldelser <Badge>{log.length}</Badge>
      </h3>
      {log.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <ul className="divide-y divide-line">
          {log.map((sent) => (
            <li key={sent.id} className="flex items-start">
              {sent.content ? (
                <details className="flex-1 min-w-0">
                  <summary className={`${logLine} no-marker`}>
                    <SentLine sent={sent} />
                    <span className="push text-primary-ink font-semibold">Vis tekst</span>
                    <SentDetail sent={sent} />
                  </summary>
                  <p className="lined pb-3">{sent.content}</p>
                </details>
              ) : (
                <div className={`${logLine} flex-1 min-w-0`}>
                  <SentLine sent={sent} />
                  <SentDetail sent={sent} />
                </div>
              )}
              {sent.hasPdf && sent.logId !== null && (
                <a
                  href={paths.callUpPdf(sent.logId)}
                  data-file=""
                  className="flex-none flex items-center min-h-11 table:min-h-9 ml-3"
                >
                  <Icon name="pdf" size={18} className="mr-1" />
                  PDF
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const logLine = "flex flex-wrap items-center min-h-11 table:min-h-9 py-1 [&>*]:mr-3 [&>:last-child]:mr-0";

interface SentProps {
  sent: ShownCallUp["log"][number];
}

const SentLine = ({ sent: { type, at, state } }: SentProps) => (
  <>
    <span>{type}</span>
    <span className="text-ink2">{at}</span>
    <StateText state={state} />
  </>
);

/** The cause of a failure, where the state does not say it. */
const SentDetail = ({ sent: { detail, state } }: SentProps) =>
  detail && detail !== state.label ? <span className="meta w-full">{detail}</span> : null;

interface CallUpPanelProps {
  callUp: ShownCallUp;
  here: string;
  facts?: readonly Fact[];
  next?: string;
  isNarrow?: boolean;
}

const labels = { ...contactLabels, incallType: "Send som" };

const refusedTitles: Record<string, string> = {
  updateCallUp: "Oplysningerne er ikke gemt.",
  callUpByPhone: "Det er ikke noteret, at patienten har fået tid.",
};

const WIDE =
  "desk:grid desk:grid-cols-[minmax(0,1fr)_304px_minmax(0,1.3fr)] [&>*+*]:mt-5 desk:[&>*+*]:mt-0 desk:[&>*]:px-6 desk:[&>:first-child]:pl-0 desk:[&>:last-child]:pr-0 desk:[&>*+*]:border-l desk:[&>*+*]:border-line";

export function CallUpPanel({ callUp, here, facts, next, isNarrow = false }: CallUpPanelProps) {
  const { referralId, contact } = callUp;
  const formId = callUpFormId(referralId);
  const { form, fields, opened, summary, asked } = useServerForm<Record<keyof typeof labels, string>>(formId, {
    intent: "sendCallUp",
    labels,
    firstInput: { incallType: `${formId}-incallType-${callUp.chosenType ?? 0}` },
    stored: contact,
    sees: { status: String(callUp.status) },
    defaultValue: {
      ...contact,
      incallType: callUp.chosenType === null ? "" : String(callUp.chosenType),
    },
  });
  const [type, setType] = useState(Number(fields.incallType.initialValue ?? callUp.chosenType));
  const sendLabel = callUp.wasSent ? "Gensend" : "Send Indkaldelse";
  const refused = refusedTitles[asked ?? ""] ?? "Indkaldelsen er ikke sendt.";
  const isOngoing = callUp.callUpStatus === 1;
  const isPossible = callUp.ways.some((way) => way.isPossible);
  return (
    <div className="stack">
      <CallUpNotice callUp={callUp} here={here} />
      <ActionForm
        operation="updateCallUp"
        place={formId}
        action={here}
        preventScrollReset
        of={form}
        opened={opened}
        className="stack"
      >
        <ErrorSummary {...summary(refused)} />
        <div className={isNarrow ? "[&>*+*]:mt-5" : WIDE}>
          <div className="stack">
            <h3>Kontakt</h3>
            <TextField
              field={fields.patientAddress}
              label={labels.patientAddress}
              autoComplete="off"
              optional={false}
            />
            <FieldRow narrow>
              <TextField
                field={fields.patientZip}
                label={labels.patientZip}
                inputMode="numeric"
                autoComplete="off"
                optional={false}
              />
              <TextField field={fields.patientCity} label={labels.patientCity} autoComplete="off" optional={false} />
            </FieldRow>
            <FieldRow>
              <TextField
                field={fields.patientMobilePhone}
                label={labels.patientMobilePhone}
                type="tel"
                autoComplete="off"
              />
              <TextField field={fields.patientPhone} label={labels.patientPhone} type="tel" autoComplete="off" />
            </FieldRow>
            <TextField field={fields.patientEmail} label={labels.patientEmail} type="email" autoComplete="off" />
            <TextArea field={fields.incallComment} label={labels.incallComment} rows={2} />
          </div>
          <div className="stack [&_legend]:text-section [&_legend]:font-semibold">
            {callUp.hasOtherName && (
              <Notice
                kind="warn"
                action={
                  <a href={`${paths.referral(callUp.referralId)}#patient`}>Se henvisning nr. {callUp.referralId}</a>
                }
              >
                {`${OTHER_NAME}. Find ud af, hvem patienten er, før du indkalder.`}
              </Notice>
            )}
            {callUp.interpreter && <Notice kind="info">{`Tolk: ${callUp.interpreter}`}</Notice>}
            <MessageWays field={fields.incallType} ways={callUp.ways} chosen={type} onChoose={setType} />
            {facts && (
              <div className="pt-3 border-t border-line">
                <SummaryList facts={facts} inLines />
              </div>
            )}
          </div>
          <div className="stack">
            <MessageText ways={callUp.ways} type={type} />
            <CallUpLog log={callUp.log} />
          </div>
        </div>
        {callUp.awaiting && !callUp.isPlanned && (
          <Notice
            kind="warn"
            action={
              <Button value="sendAnotherCallUp" size="small">
                Send også
              </Button>
            }
          >
            {callUp.awaiting} har ikke svaret endnu. Send også på en anden måde?
          </Notice>
        )}
        <div
          className={
            isNarrow ? "row" : "row desk:!-mx-4 desk:!-mb-4 desk:p-2.5 desk:bg-raised desk:border-t desk:border-line"
          }
        >
          <IntentButton
            value="sendCallUp"
            variant="primary"
            icon="send"
            formId={formId}
            disabled={isOngoing || !isPossible}
          >
            {sendLabel}
          </IntentButton>
          {next !== undefined && !isOngoing && isPossible && (
            <>
              <input type="hidden" name="to" value={next} />
              <IntentButton value="sendCallUpAndOpenNext" formId={formId}>
                Send og åbn næste
              </IntentButton>
            </>
          )}
          <IntentButton value="updateCallUp" formId={formId}>
            Opdater information
          </IntentButton>
          {isOngoing && <span className="meta">{callUp.notice}</span>}
          <span className="push">
            <Button value="callUpByPhone" variant="plain" icon="phone">
              Patienten har fået tid pr. telefon
            </Button>
          </span>
        </div>
      </ActionForm>
    </div>
  );
}

function CallUpNotice({ callUp: { notice, error, isPlanned }, here }: Pick<CallUpPanelProps, "callUp" | "here">) {
  if (notice === null) return null;
  if (!isPlanned)
    return (
      <Notice kind="warn" title={notice}>
        {error}
      </Notice>
    );
  return (
    <Notice
      kind="info"
      icon="hourglass"
      title={notice}
      action={
        <ActionForm operation="withdrawCallUp" action={here} preventScrollReset>
          <Button value="withdrawCallUp" variant="plain" size="small">
            Annullér
          </Button>
        </ActionForm>
      }
    />
  );
}
