import { Link } from "@remix-run/react";
import { ActionForm, IntentButton, receivedIn, useHasAnswer, useServerForm } from "~/http/forms/action-form";
import { NO_PDF_TEXT } from "~/features/discharge-letters/letter-text";
import { Button, buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { Disclosure } from "~/ui/layout/disclosure";
import { StateText } from "~/ui/lists/chip";
import type { ShownLetter, ShownLetters } from "./present-letters";
import { SavedBox } from "./saved-box";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, guidanceText } from "~/files/file-texts";
import { useTimesSaved } from "~/http/forms/use-action-result";
import { openedWith } from "~/text/control-values";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";

export interface LetterProps {
  letter: ShownLetter;
  of: ShownLetters;
  here: string;
  deleteTo(letterNumber: number): string;
  isNarrow: boolean;
}

export const DeleteLink = ({ to, number }: { to: string; number: number }) => (
  <Link
    to={to}
    preventScrollReset
    className={`${buttonClass({ variant: "plain", size: "small", fit: "tight" })} !text-err`}
  >
    <Icon name="delete" size={18} className="mr-1.5" />
    <span>
      Slet<span className="sr-only"> brev {number}</span>
    </span>
  </Link>
);

export function LetterActions({ letter, of, here, deleteTo, isNarrow }: LetterProps) {
  const { referralId } = of;
  const { number } = letter;
  const item = `letterNumber:${number}`;
  return (
    <div className={isNarrow ? "stack-s mt-2" : "stack-s desk:pl-5 desk:border-l desk:border-line"}>
      {letter.isEdi && (
        <div>
          <SavedBox
            here={here}
            intent="setEdiAsEmail"
            place={`letters-${referralId}`}
            name="sendEdiTerminationAsEmail"
            label="Send også som system-e-mail"
            isOn={letter.sendsEdiAsEmail}
            item={item}
          />
          {letter.edi && <EdiLine line={letter.edi} />}
        </div>
      )}
      <PatientLink letter={letter} of={of} here={here} item={item} />
      {letter.letterFile !== null && <LetterToPatient letter={letter} of={of} here={here} item={item} />}
      <div className="row">
        <ActionForm
          operation={letter.canWithdraw ? "withdrawLetter" : "resendLetter"}
          place={`letters-${referralId}`}
          item={item}
          opened={openedWith(letter.files)}
          showsErrors
          action={here}
          preventScrollReset
        >
          {letter.canWithdraw ? (
            <Button value="withdrawLetter" variant="soft" size="small">
              Annullér<span className="sr-only"> brev {number}</span>
            </Button>
          ) : (
            <Button
              value="resendLetter"
              variant="soft"
              size="small"
              icon="send"
              disabled={letter.letterFile === null || of.manage!.error !== null}
            >
              {letter.wasQueued ? "Gensend" : "Send"}
              <span className="sr-only"> brev {number}</span>
            </Button>
          )}
        </ActionForm>
        {letter.letterFile === null && <span className="meta">{NO_PDF_TEXT}</span>}
        <DeleteLink to={deleteTo(number)} number={number} />
      </div>
    </div>
  );
}

function EdiLine({ line: { state, sentences } }: { line: NonNullable<ShownLetter["edi"]> }) {
  return (
    <>
      <p>
        <StateText state={state} />
      </p>
      {sentences.map((sentence) => (
        <p key={sentence} className="meta">
          {sentence}
        </p>
      ))}
    </>
  );
}

function PatientLink({
  letter,
  of: { referralId, manage },
  here,
  item,
}: Pick<LetterProps, "letter" | "of" | "here"> & { item: string }) {
  const { number, imageFiles, files, patientMessage } = letter;
  if (imageFiles.length === 0 && !patientMessage)
    return <p className="meta">Link til patienten kræver et røntgenbillede</p>;
  return (
    <ActionForm
      operation="sendLetterImages"
      place={`letters-${referralId}`}
      item={item}
      opened={openedWith(files)}
      showsErrors
      action={here}
      preventScrollReset
    >
      <input type="hidden" name="intent" value="sendLetterImages" />
      <p className="text-label">Send link til røntgen til patienten</p>
      <WayButtons ways={manage!.linkWays} number={number} isPossible={imageFiles.length > 0} />
      {patientMessage && (
        <p className="row">
          <span className="meta">
            {patientMessage.way} {patientMessage.at}
          </span>
          <StateText state={patientMessage.state} />
        </p>
      )}
    </ActionForm>
  );
}

function LetterToPatient({
  letter: { number, imageFiles, files },
  of: { referralId, manage },
  here,
  item,
}: Pick<LetterProps, "letter" | "of" | "here"> & { item: string }) {
  return (
    <Disclosure
      quiet
      title={
        <>
          Send brevet til patienten<span className="sr-only">, brev {number}</span>
        </>
      }
    >
      <ActionForm
        operation="sendLetterToPatient"
        place={`letters-${referralId}`}
        item={item}
        opened={openedWith(files)}
        showsErrors
        action={here}
        preventScrollReset
        className="mt-1"
      >
        <input type="hidden" name="intent" value="sendLetterToPatient" />
        <p className="meta">
          Brevet er skrevet til henviser. Skal patienten have et link til brevet
          {imageFiles.length > 0 && " og billederne"}?
        </p>
        <WayButtons ways={manage!.linkWays} number={number} />
      </ActionForm>
    </Disclosure>
  );
}

function WayButtons({
  ways,
  number,
  isPossible = true,
}: {
  ways: NonNullable<ShownLetters["manage"]>["linkWays"];
  number: number;
  isPossible?: boolean;
}) {
  return (
    <>
      <div className="row">
        {ways.map(({ type, label, obstacle }) => (
          <Button
            key={type}
            name="messageType"
            value={type}
            size="small"
            icon={type === 1 ? "sms" : "eboks"}
            disabled={obstacle !== null || !isPossible}
          >
            {label}
            <span className="sr-only">, brev {number}</span>
          </Button>
        ))}
      </div>
      {ways.map(
        ({ type, label, obstacle }) =>
          obstacle && (
            <p key={type} className="meta">
              {label}: {obstacle}
            </p>
          ),
      )}
    </>
  );
}

const kinds = {
  diagnose: {
    intent: "uploadLetter",
    field: "letterPdf",
    fileKind: "letter",
    first: "Upload PDF",
    label: "PDF til henviser",
    send: "Upload og send",
  },
  rentgen: {
    intent: "uploadLetterImages",
    field: "letterImages",
    fileKind: "radiograph",
    first: "Upload røntgen",
    label: "Røntgen og foto",
    send: "Upload",
  },
} as const;

interface LetterUploadProps {
  kind: keyof typeof kinds;
  letter: Pick<ShownLetter, "number" | "letterFile" | "imageFiles" | "files">;
  of: ShownLetters;
  here: string;
}

/** The upload form of a letter's PDF or images. It is reset with an empty file field after each upload. */
export function LetterUpload(props: LetterUploadProps) {
  const { kind, letter, of } = props;
  const formId = `${kinds[kind].intent}-${of.referralId}-${letter.number}`;
  return <LetterUploadForm key={`${of.referralId} ${useTimesSaved(formId)}`} {...props} formId={formId} />;
}

function LetterUploadForm({ kind, letter, here, formId }: LetterUploadProps & { formId: string }) {
  const { intent, field, fileKind, first, label, send } = kinds[kind];
  const isAnswered = useHasAnswer(formId);
  const { form, fields, opened, summary, staged } = useServerForm<Record<string, string | undefined>>(formId, {
    intent,
    sees: letter.files,
    labels: { [field]: label },
  });
  const isThere = kind === "diagnose" ? letter.letterFile !== null : letter.imageFiles.length > 0;
  return (
    <details className="open:w-full" open={isAnswered}>
      <summary
        className={`${buttonClass({ variant: isThere ? "plain" : "outline", size: "small" })} no-marker ${isThere ? "" : "border-dashed"}`}
      >
        <Icon name="upload" size={18} className="mr-2" />
        {isThere ? "Upload ny" : first}
        <span className="sr-only">
          {" "}
          til brev {letter.number}: {label}
        </span>
      </summary>
      <ActionForm
        operation={intent}
        place={formId}
        item={`letterNumber:${letter.number}`}
        opened={opened}
        action={here}
        encType="multipart/form-data"
        preventScrollReset
        of={form}
        className="stack-s my-2 p-3 border border-line2 rounded-card"
      >
        <ErrorSummary {...summary("Intet er gemt.")} />
        <FileField
          field={fields[field]!}
          label={label}
          accept={acceptAttribute(fileKind)}
          types={guidanceText(fileKind)}
          received={receivedIn(staged, field)}
          multiple={kind === "rentgen"}
          refusalOf={(file) => chosenFileRefusal(fileKind, file)}
        />
        <IntentButton value={intent} icon="upload" size="small" formId={formId}>
          {send}
        </IntentButton>
      </ActionForm>
    </details>
  );
}
