import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { NO_PDF_TEXT } from "~/features/discharge-letters/letter-rules";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Chip, StateText } from "~/ui/lists/chip";
import { LetterUpload } from "./letter-upload";
import type { ShownLetter, ShownLetters } from "./present-letters";
import { SavedBox } from "./saved-box";

interface LetterPartProps {
  letter: ShownLetter;
  of: ShownLetters;
  here: string;
  deleteTo(letterNumber: number): string;
  isNarrow: boolean;
}

const WIDE = "desk:grid desk:grid-cols-[228px_minmax(0,1fr)_272px] [&>*+*]:mt-3 desk:[&>*+*]:mt-0";

/** One letter: its number and how it went, its files and facts, and what staff can do with it. */
export function LetterPart({ letter, of, here, deleteTo, isNarrow }: LetterPartProps) {
  const { referralId, manage } = of;
  const { number, sentAt, state } = letter;
  const heading = <h3 className="text-body">Brev {number}</h3>;
  if (letter.letterFile === null && letter.imageFiles.length === 0)
    return (
      <li className="py-3 px-2" id={`brev-${referralId}-${number}`}>
        <div className="row">
          {heading}
          <span className="meta">Ingen afsendelsesdato</span>
          {manage && (
            <>
              <LetterUpload kind="diagnose" letter={letter} of={of} here={here} />
              <ButtonLink to={paths.writeLetter(referralId, number)} variant="plain" size="small" icon="edit">
                Skriv udskrivningsbrev
              </ButtonLink>
              <span className="push row">
                <Button size="small" icon="send" disabled>
                  Gensend
                </Button>
                <span className="meta">{NO_PDF_TEXT}</span>
                <DeleteLink to={deleteTo(number)} number={number} />
              </span>
            </>
          )}
        </div>
        {manage && (
          <div className="mt-2">
            <LetterUpload kind="rentgen" letter={letter} of={of} here={here} />
          </div>
        )}
      </li>
    );
  return (
    <li className={classNames("py-3 px-2", !isNarrow && WIDE)} id={`brev-${referralId}-${number}`}>
      <div>
        {heading}
        <p className="meta">{sentAt ?? "Ingen afsendelsesdato"}</p>
        {state && (
          <p className="mt-1">
            <Chip tone={state.tone} icon={state.icon}>
              {state.label}
            </Chip>
          </p>
        )}
      </div>
      <div className={isNarrow ? undefined : "desk:pr-5"}>
        <Files label="Udskrivningsbrev">
          {letter.letterFile ? (
            <FileChip href={paths.letter(referralId, number, "pdf")} name={letter.letterFile} icon="pdf" />
          ) : (
            <span className="meta">{NO_PDF_TEXT}</span>
          )}
          {manage && <LetterUpload kind="diagnose" letter={letter} of={of} here={here} />}
          {manage && !letter.letterFile && (
            <ButtonLink to={paths.writeLetter(referralId, number)} variant="plain" size="small" icon="edit">
              Skriv udskrivningsbrev
            </ButtonLink>
          )}
        </Files>
        {(manage || letter.imageFiles.length > 0) && (
          <Files label="Røntgen og foto">
            {letter.imageFiles.length > 0 && (
              <FileChip
                href={paths.letter(referralId, number, "images")}
                name={imageName(letter.imageFiles)}
                title={letter.imageFiles.join(", ")}
                icon={letter.imageFiles.length > 1 ? "zip" : "image"}
              />
            )}
            {manage && <LetterUpload kind="rentgen" letter={letter} of={of} here={here} />}
          </Files>
        )}
        <dl className="mt-2 pt-2 border-t border-line">
          {letter.facts.map(({ label, value }) => (
            <div key={label} className="table:flex">
              <dt className="meta flex-none table:w-[140px]">{label}</dt>
              <dd className="break-anywhere">{value || "–"}</dd>
            </div>
          ))}
        </dl>
      </div>
      {manage && <LetterActions letter={letter} of={of} here={here} deleteTo={deleteTo} isNarrow={isNarrow} />}
    </li>
  );
}

const imageName = (names: string[]) => (names.length === 1 ? names[0]! : `${names.length} filer`);

function Files({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="table:flex items-start mb-1">
      <span className="meta flex-none block table:w-[140px] table:pt-2">{label}</span>
      <div className="row min-w-0">{children}</div>
    </div>
  );
}

function FileChip({ href, name, title, icon }: { href: string; name: string; title?: string; icon: IconName }) {
  return (
    <a
      data-file
      href={href}
      title={title ?? name}
      className="inline-flex items-center max-w-full min-h-11 table:min-h-9 px-3 border border-line2 rounded no-underline"
    >
      <Icon name={icon} size={18} className="mr-2" />
      <span className="cut min-w-0 max-w-[220px]">{name}</span>
    </a>
  );
}

const DeleteLink = ({ to, number }: { to: string; number: number }) => (
  <Link to={to} preventScrollReset className="inline-flex items-center min-h-11 table:min-h-8 text-err">
    <Icon name="delete" size={18} className="mr-1.5" />
    Slet<span className="vh"> brev {number}</span>
  </Link>
);

/** What staff can do with a letter that has files: the switch of an EDI letter, the link to the patient, sending and deleting. */
function LetterActions({ letter, of, here, deleteTo, isNarrow }: LetterPartProps) {
  const { referralId } = of;
  const { number } = letter;
  const hidden = (
    <>
      <input type="hidden" name="formId" value={`letters-${referralId}`} />
      <input type="hidden" name="referralId" value={referralId} />
      <input type="hidden" name="letterNumber" value={number} />
    </>
  );
  return (
    <div className={isNarrow ? "stack-s mt-2" : "stack-s desk:pl-5 desk:border-l desk:border-line"}>
      {letter.isEdi && (
        <div>
          <SavedBox
            here={here}
            intent="setEdiAsEmail"
            name="sendEdiTerminationAsEmail"
            label="Send også som system-e-mail"
            isOn={letter.sendsEdiAsEmail}
          >
            {hidden}
          </SavedBox>
          <p className="meta">EDI: Ikke indstillet. Brevet går som e-mail.</p>
        </div>
      )}
      <PatientLink letter={letter} of={of} here={here} hidden={hidden} />
      <div className="row">
        <Form method="post" action={here} preventScrollReset>
          <DefaultIntent value={letter.canWithdraw ? "withdrawLetter" : "resendLetter"} />
          {hidden}
          {letter.canWithdraw ? (
            <Button name="intent" value="withdrawLetter" size="small">
              Annullér<span className="vh"> brev {number}</span>
            </Button>
          ) : (
            <Button
              name="intent"
              value="resendLetter"
              size="small"
              icon="send"
              disabled={letter.letterFile === null || of.manage!.fault !== null}
            >
              {letter.wasQueued ? "Gensend" : "Send"}
              <span className="vh"> brev {number}</span>
            </Button>
          )}
        </Form>
        {letter.letterFile === null && <span className="meta">{NO_PDF_TEXT}</span>}
        <DeleteLink to={deleteTo(number)} number={number} />
      </div>
    </div>
  );
}

/** 'Send link til røntgen til patienten', by e-Boks or SMS, and how the last one went. */
function PatientLink({
  letter,
  of: { manage },
  here,
  hidden,
}: Pick<LetterPartProps, "letter" | "of" | "here"> & { hidden: ReactNode }) {
  const { number, imageFiles, patientMessage } = letter;
  if (imageFiles.length === 0 && !patientMessage)
    return <p className="meta">Link til patienten kræver et røntgenbillede</p>;
  const obstacles = manage!.linkWays.filter(({ obstacle }) => obstacle !== null);
  return (
    <Form method="post" action={here} preventScrollReset>
      <DefaultIntent value="sendLetterImages" />
      {hidden}
      <input type="hidden" name="intent" value="sendLetterImages" />
      <p className="text-label">Send link til røntgen til patienten</p>
      <div className="row">
        {manage!.linkWays.map(({ type, label, obstacle }) => (
          <Button
            key={type}
            name="messageType"
            value={type}
            size="small"
            icon={type === 1 ? "sms" : "eboks"}
            disabled={obstacle !== null || imageFiles.length === 0}
          >
            {label}
            <span className="vh">, brev {number}</span>
          </Button>
        ))}
      </div>
      {obstacles.map(({ type, label, obstacle }) => (
        <p key={type} className="meta">
          {label}: {obstacle}
        </p>
      ))}
      {patientMessage && (
        <p className="row">
          <span className="meta">
            {patientMessage.way} {patientMessage.at}
          </span>
          <StateText state={patientMessage.state} />
        </p>
      )}
    </Form>
  );
}
