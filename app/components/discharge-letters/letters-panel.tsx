import type { ReactNode } from "react";
import { DECLINED_TEXT, NO_PDF_TEXT } from "~/features/discharge-letters/letter-text";
import { filePaths } from "~/features/referrals/file-paths";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Chip } from "~/ui/lists/chip";
import { DeleteLink, LetterActions, type LetterProps, LetterUpload } from "./letter-actions";
import { Link } from "@remix-run/react";
import { ActionForm, useButtonState } from "~/http/forms/action-form";
import { useFormErrors } from "~/http/forms/use-action-result";
import { ErrorNotice, Notice } from "~/ui/feedback/notice";
import { SavedBox } from "./saved-box";
import type { ShownLetters } from "./present-letters";

const WIDE = "desk:grid desk:grid-cols-[228px_minmax(0,1fr)_272px] [&>*+*]:mt-3 desk:[&>*+*]:mt-0";

type LetterPartProps = LetterProps & Pick<LettersPanelProps, "writeTo">;

function LetterPart({ letter, of, here, writeTo, deleteTo, isNarrow }: LetterPartProps) {
  const { referralId, manage } = of;
  const { number, sentAt, state } = letter;
  const heading = <h3 className="text-body">Brev {number}</h3>;
  // A sent letter keeps its date and facts after its files are gone.
  const isEmpty = letter.letterFile === null && letter.imageFiles.length === 0 && sentAt === null && !letter.wasQueued;
  if (isEmpty)
    return (
      <li className="py-3 px-2" id={`brev-${referralId}-${number}`}>
        <div className="row">
          {heading}
          <span className="meta">Ingen afsendelsesdato</span>
          {manage && (
            <>
              <LetterUpload kind="diagnose" letter={letter} of={of} here={here} />
              <ButtonLink to={writeTo(number)} variant="plain" size="small" icon="edit">
                Skriv udskrivningsbrev
              </ButtonLink>
              <LetterUpload kind="rentgen" letter={letter} of={of} here={here} />
              <span className="push row">
                <Button variant="soft" size="small" icon="send" disabled>
                  Gensend
                </Button>
                <span className="meta">{NO_PDF_TEXT}</span>
                <DeleteLink to={deleteTo(number)} number={number} />
              </span>
            </>
          )}
        </div>
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
            <FileChip href={filePaths.letter(referralId, number, "pdf")} name={letter.letterFile} icon="pdf" />
          ) : (
            <span className="meta">{NO_PDF_TEXT}</span>
          )}
          {manage && <LetterUpload kind="diagnose" letter={letter} of={of} here={here} />}
          {manage && !letter.letterFile && (
            <ButtonLink to={writeTo(number)} variant="plain" size="small" icon="edit">
              Skriv udskrivningsbrev
            </ButtonLink>
          )}
        </Files>
        {(manage || letter.imageFiles.length > 0) && (
          <Files label="Røntgen og foto">
            {letter.imageFiles.length > 0 && (
              <FileChip
                href={filePaths.letter(referralId, number, "images")}
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
      <span className="truncate min-w-0 max-w-[220px]">{name}</span>
    </a>
  );
}

interface LettersPanelProps {
  letters: ShownLetters;
  here: string;
  writeTo(letterNumber: number): string;
  deleteTo(letterNumber: number): string;
  isNarrow?: boolean;
}

export function LettersPanel({ letters: shown, here, writeTo, deleteTo, isNarrow = false }: LettersPanelProps) {
  const { referralId, letters, manage } = shown;
  return (
    <div className={isNarrow ? undefined : "table:-mx-2"}>
      <LettersAnswer referralId={referralId} />
      {manage?.error && letters.length > 0 && <Notice kind="warn">{manage.error}</Notice>}
      {letters.length === 0 && <p className="meta">Ingen data...</p>}
      <ul className="divide-y divide-line">
        {letters.map((letter) => (
          <LetterPart
            key={letter.number}
            letter={letter}
            of={shown}
            here={here}
            writeTo={writeTo}
            deleteTo={deleteTo}
            isNarrow={isNarrow}
          />
        ))}
      </ul>
      <div className={isNarrow ? "row mt-2" : "row mt-2 px-2 pt-2 border-t border-line"}>
        {manage && <LettersFoot of={shown} here={here} />}
        {!isNarrow && (
          <span className="push">
            <Link to={paths.referral(referralId)} className="inline-flex items-center whitespace-nowrap">
              Åbn henvisning nr. {referralId} <Icon name="next" size={18} className="ml-1.5" />
            </Link>
          </span>
        )}
      </div>
    </div>
  );
}

const LettersAnswer = ({ referralId }: { referralId: number }) => (
  <ErrorNotice texts={useFormErrors(`letters-${referralId}`)} />
);

function LettersFoot({ of: { referralId, isDeclined }, here }: { of: ShownLetters; here: string }) {
  const formId = `letters-${referralId}`;
  return (
    <>
      <ActionForm operation="beginLetter" place={formId} showsErrors action={here} preventScrollReset>
        <Button
          value="beginLetter"
          icon="plus"
          size="compact"
          state={useButtonState("beginLetter", formId) === "working" ? "working" : "ready"}
        >
          Nyt brev
        </Button>
      </ActionForm>
      <SavedBox
        here={here}
        intent="declineLetters"
        place={formId}
        name="declined"
        label={DECLINED_TEXT}
        isOn={isDeclined}
      />
    </>
  );
}
