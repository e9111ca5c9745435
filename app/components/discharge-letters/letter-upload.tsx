import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, guidanceText } from "~/files/file-texts";
import { useTimesSaved } from "~/http/forms/use-opened-with";
import { useButtonState } from "~/http/forms/use-button-state";
import { receivedIn, useHasAnswer, useServerForm } from "~/http/forms/use-server-form";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { Icon } from "~/ui/icons/icon";
import type { ShownLetter, ShownLetters } from "./present-letters";

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
  letter: Pick<ShownLetter, "number" | "letterFile" | "imageFiles">;
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
  const { form, fields, summary, staged } = useServerForm<Record<string, string | undefined>>(formId, {
    intent,
    labels: { [field]: label },
  });
  const state = useButtonState(intent, formId);
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
        showsErrors
        action={here}
        encType="multipart/form-data"
        preventScrollReset
        {...getFormProps(form)}
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
        <Button name="intent" value={intent} icon="upload" size="small" state={state}>
          {send}
        </Button>
      </ActionForm>
    </details>
  );
}
