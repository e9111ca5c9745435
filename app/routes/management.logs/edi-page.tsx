import type { SerializeFrom } from "@remix-run/node";
import { outcomes } from "~/features/delivery/delivery-outcome";
import {
  type EdiState,
  ediKinds,
  ediReasons,
  ediStates,
  type EdiLetterState,
  ediLetterStates,
} from "~/features/edi/edi-states";
import type { EdiPage as EdiMessagesPage, EdiLetterPage } from "~/features/edi/list/edi-list.server";
import { ActionForm, useBusy } from "~/http/forms/action-form";
import { useFormErrors } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { showDateTime, showShortDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/fields";
import { type Toned, StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { EdiRow, ediRowGrid } from "./edi-row";
import { LogPanel, logPageAddress } from "./log-panel";
import { ediLine } from "~/components/discharge-letters/present-edi-letter";
import { filePaths } from "~/features/referrals/file-paths";

type EdiMessages = SerializeFrom<EdiMessagesPage>;
type Row = EdiMessages["rows"][number];
type ShownEdi = ReturnType<typeof presentEdi>;
export type ShownEdiMessage = ReturnType<typeof presentMessage>;

const tones: Readonly<Record<EdiState, Omit<Toned, "label">>> = {
  new: { tone: "info", icon: "clock" },
  waiting: { tone: "info", icon: "clock" },
  person: { tone: "warn", icon: "warning" },
  imported: { tone: "ok", icon: "done" },
  attached: { tone: "ok", icon: "done" },
  receipt: { tone: "info", icon: "check" },
  duplicate: { tone: "info", icon: "info" },
  refused: { tone: "err", icon: "failed" },
  dismissed: { tone: "info", icon: "delete" },
};

export const presentEdi = (page: EdiMessages) => ({
  ...page,
  states: (Object.keys(ediStates) as EdiState[]).map((value) => ({ value, label: ediStates[value] })),
  rows: page.rows.map(presentMessage),
});

const presentMessage = (row: Row) => ({
  ...row,
  at: { iso: row.receivedAt, text: showShortDateTime(row.receivedAt) },
  what: row.kind === "refused" ? (row.type ?? "Ukendt fil") : ediKinds[row.kind],
  numbers: [row.type, row.letterId && `brev ${row.letterId}`, row.envelopeId && `kuvert ${row.envelopeId}`]
    .filter(Boolean)
    .join(" · "),
  state: { label: ediStates[row.state], ...tones[row.state] } satisfies Toned,
  why: whyOf(row),
  receipt: row.receipt === null ? null : `Kvittering: ${outcomes[row.receipt].toLowerCase()}`,
  files: [
    ...row.files.map(({ name, refused }) => (refused === null ? name : `${name} er afvist: ${refused}`)),
    ...row.lacks.map(
      ({ name, isLate }) => `${name} ${isLate ? "er ikke kommet inden for fire timer" : "er ikke kommet endnu"}`,
    ),
  ],
  isLate: row.lacks.some(({ isLate }) => isLate) || row.files.some(({ refused }) => refused !== null),
  decided: row.decided && `${row.decided.by} ${showDateTime(row.decided.at)}`,
});

function whyOf(row: Row): string | null {
  if (row.state === "duplicate") return `Samme brev som EDI-besked ${row.duplicateOf}.`;
  const removed = row.isRemoved ? "Indholdet er slettet efter 90 dage." : null;
  const register = row.registerName === null ? null : `CPR-registret siger ${row.registerName}.`;
  const before = row.duplicateOf === null ? null : `Det første er EDI-besked ${row.duplicateOf}.`;
  const sentences = [row.reason && ediReasons[row.reason], before, register, row.detail, row.words, removed];
  return sentences.filter(Boolean).join(" ") || null;
}

export function EdiPage({ list, isLoading }: { list: ShownEdi; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, { type: "edi", nr: list.visitNumber || null, status: list.state });
  return (
    <>
      {list.inbox === null && (
        <Notice kind="warn" title="Ikke indstillet." className="mb-3">
          Portalen har ingen EDI-mappe at læse fra: EDI_DIR eller EDI_SFTP_URL skal sættes på serveren.
        </Notice>
      )}
      <EdiFilter list={list} />
      <div className="flex flex-wrap items-center justify-between">
        <EdiDirections current="in" visitNumber={list.visitNumber} waiting={list.waiting} />
        {list.inbox !== null && <ImportButton here={here(list.page)} label={list.inbox} />}
      </div>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState why="Der er ikke kommet noget pr. EDI, der passer." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <EdiRow key={`${row.id} ${row.state.label}`} message={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function ImportButton({ here, label }: { here: string; label: string }) {
  const isBusy = useBusy("runEdiImport") === "working";
  const errors = useFormErrors("runEdiImport");
  return (
    <ActionForm
      operation="runEdiImport"
      showsErrors
      action={here}
      preventScrollReset
      className="flex flex-wrap items-center tablet:mt-4 mb-3 tablet:mb-2"
    >
      <span className="meta mr-3">{label}</span>
      <Button value="runEdiImport" size="small" aria-disabled={isBusy || undefined}>
        EDI-import
      </Button>
      {errors.length > 0 && (
        <Notice kind="error" live className="ml-3">
          {errors.join(" ")}
        </Notice>
      )}
    </ActionForm>
  );
}

function EdiFilter({ list: { visitNumber, isWrongNumber, state, states } }: { list: ShownEdi }) {
  return (
    <LogPanel type="edi" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[state]}>
      <SelectField name="status" label="Status" empty="Alle" choices={states} defaultValue={state ?? ""} />
    </LogPanel>
  );
}

interface Props {
  current: "in" | "out";
  visitNumber: string;
  waiting: number;
}

function EdiDirections({ current, visitNumber, waiting }: Props) {
  const number = visitNumber === "" ? "" : `&nr=${encodeURIComponent(visitNumber)}`;
  const link = (direction: Props["current"], href: string, label: string) => (
    <a
      href={href}
      aria-current={current === direction ? "page" : undefined}
      className="inline-flex items-center min-h-11 table:min-h-9 mr-4 current:text-ink current:font-semibold current:no-underline"
    >
      {label}
    </a>
  );
  return (
    <nav aria-label="EDI" className="flex flex-wrap items-center mt-4 mb-2 print:hidden">
      {link("in", `${paths.logs}?type=edi${number}`, "Modtaget")}
      {link("out", `${paths.logs}?type=edi&retning=ud${number}`, "Sendt")}
      <span className="meta">{waiting === 0 ? "Alt er afgjort" : `${waiting} skal afgøres`}</span>
    </nav>
  );
}

type Values = SerializeFrom<EdiLetterPage>;
type ShownEdiLetters = ReturnType<typeof presentEdiLetters>;
type ShownEdiLetter = ShownEdiLetters["rows"][number];

export const presentEdiLetters = (page: Values) => ({
  ...page,
  states: (Object.keys(ediLetterStates) as EdiLetterState[]).map((value) => ({ value, label: ediLetterStates[value] })),
  rows: page.rows.map((row) => presentLetter(row, page)),
});

const BY_MAIL: readonly (string | null)[] = ["sent", "queued", "awaiting"];

function presentLetter({ createdAt, edi, ...row }: Values["rows"][number], page: Values) {
  const { state, sentences } = ediLine(edi, page);
  const isNewest = row.letterNumber !== null;
  return {
    ...row,
    at: { iso: createdAt, text: showShortDateTime(createdAt) },
    state: { ...state, label: state.label.replace(/^EDI: /, "") },
    /** No channel delivered it, and nobody has resent it. */
    waitsForSomebody: isNewest && state.tone === "warn" && !BY_MAIL.includes(edi.mail),
    // Only the newest sending mentions the substitute mail.
    sentences: isNewest
      ? sentences
      : [...(edi.detail === null ? [] : [edi.detail]), "Brevet er sendt igen senere, eller det er slettet."],
  };
}

export function EdiLettersPage({ list, isLoading }: { list: ShownEdiLetters; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, {
      type: "edi",
      retning: "ud",
      nr: list.visitNumber || null,
      status: list.state,
    });
  return (
    <>
      {!list.isEdiSet && (
        <Notice kind="warn" title="Ikke indstillet." className="mb-3">
          Portalen sender ingen breve pr. EDI: de går som e-mail.
        </Notice>
      )}
      <LogPanel
        type="edi"
        fixed={{ retning: "ud" }}
        visitNumber={list.visitNumber}
        isWrongNumber={list.isWrongNumber}
        values={[list.state]}
      >
        <SelectField name="status" label="Status" empty="Alle" choices={list.states} defaultValue={list.state ?? ""} />
      </LogPanel>
      <EdiDirections current="out" visitNumber={list.visitNumber} waiting={list.waiting} />
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState why="Intet udskrivningsbrev er sendt pr. EDI, der passer." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <LetterRow key={row.id} letter={row} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function LetterRow({ letter }: { letter: ShownEdiLetter }) {
  const { at, to, receiver, patient, referralId, letterNumber, state, sentences, waitsForSomebody } = letter;
  return (
    <li className={ediRowGrid(waitsForSomebody)}>
      <div>
        <b>Udskrivningsbrev</b>
        {letterNumber !== null && <div className="meta">brev {letterNumber}</div>}
        <time dateTime={at.iso} className="meta">
          {at.text}
        </time>
      </div>
      <div>
        {patient.name !== null && (
          <>
            <b>{patient.name}</b>
            <div className="meta">{patient.cpr}</div>
          </>
        )}
        <div className="meta break-anywhere">
          Til {receiver ?? "henviser"} ({to})
        </div>
      </div>
      <div>
        <div className="flex flex-wrap items-center">
          <StateText state={state} className="mr-2" />
          {referralId !== null && <a href={`${paths.referral(referralId)}#udskrivningsbrev`}>nr. {referralId}</a>}
        </div>
        {sentences.map((sentence) => (
          <div key={sentence} className="break-anywhere">
            {sentence}
          </div>
        ))}
        {referralId !== null && letterNumber !== null && (
          <a data-file href={filePaths.letter(referralId, letterNumber, "pdf")}>
            Hent brevet (PDF)
          </a>
        )}
      </div>
    </li>
  );
}
