import type { SerializeFrom } from "@remix-run/node";
import { ediLine } from "~/components/discharge-letters/present-edi-letter";
import { type EdiLetterState, ediLetterStates } from "~/features/edi/edi-states";
import type { EdiLetterPage } from "~/features/edi/list/edi-letter-list.server";
import { filePaths } from "~/features/referrals/file-paths";
import { paths } from "~/paths";
import { showShortDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { SelectField } from "~/ui/forms/select-field";
import { StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { EdiDirections } from "./edi-page";
import { ediRowGrid } from "./edi-row";
import { LogPanel, logPageAddress } from "./log-panel";

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
    /** It arrived by no channel, and nobody has resent it. */
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
