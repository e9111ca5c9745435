import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { WORDS_LIMIT } from "~/features/referrals/material/material-kinds";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, sendingText } from "~/files/file-texts";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { useTimesSaved } from "~/http/forms/use-opened-with";
import { useButtonState } from "~/http/forms/use-button-state";
import { receivedIn, useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { TextField } from "~/ui/forms/text-field";
import { Icon } from "~/ui/icons/icon";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";

type Line = NonNullable<OpenReferral["material"]>["lines"][number];
interface LineProps {
  referral: OpenReferral;
  line: Line;
}

export function MaterialLine({ referral, line }: LineProps) {
  const isOpen = line.answer === "open";
  const pages = useImagePages(referral.id);
  return (
    <li>
      <div className="row">
        <Icon name={isOpen ? "awaits-material" : line.answer === "files" ? "done" : "minus"} className="text-ink2" />
        <b className="break-anywhere">{line.label}</b>
        <Answer referral={referral} line={line} />
        {isOpen && (
          <ButtonLink
            to={pages.uploadFor(line.id)}
            preventScrollReset
            size="small"
            icon="upload"
            className="push phone:w-full"
            aria-label={`Upload billeder: ${line.label}`}
          >
            Upload billeder
          </ButtonLink>
        )}
      </div>
      {isOpen && !referral.mayEdit && (
        <div className="pl-7 flex flex-wrap [&>details]:mr-6 [&>[open]]:w-full [&>[open]]:mr-0">
          {line.takesDocuments && <Documents referral={referral} line={line} />}
          <Decline referral={referral} line={line} />
        </div>
      )}
    </li>
  );
}

function Answer({ referral: { id }, line: { answer, files, arriving, reply, answeredOn } }: LineProps) {
  const pages = useImagePages(id);
  return (
    <span className="meta min-w-0">
      {files.map(({ id: fileId, name, isImage }, index) => (
        <span key={fileId}>
          {index > 0 && ", "}
          {isImage ? (
            <a href={pages.image(fileId)}>{name}</a>
          ) : (
            <a data-file href={paths.referralFile(id, fileId)}>
              {name}
            </a>
          )}
        </span>
      ))}{" "}
      {arriving > 0 && (arriving === 1 ? "1 fil på vej" : `${arriving} filer på vej`)}
      {answer === "none" && (
        <>
          Findes ikke: <span className="text-ink">{reply}</span>
        </>
      )}{" "}
      {answer !== "open" && answeredOn}
    </span>
  );
}

function Documents(props: LineProps) {
  const formId = `addMaterialDocuments-${props.line.id}`;
  return <DocumentsForm key={useTimesSaved(formId)} {...props} formId={formId} />;
}

function DocumentsForm({ referral: { id }, line, formId }: LineProps & { formId: string }) {
  const here = useThisPage(id);
  const { form, fields, summary, staged, wasRefused } = useServerForm<{ journals?: string }>(formId, {
    intent: "addMaterialDocuments",
    guarded: "path",
  });
  const state = useButtonState("addMaterialDocuments", formId);
  return (
    <Disclosure quiet title="Upload dokument" open={wasRefused}>
      <ActionForm
        operation="addMaterialDocuments"
        place={formId}
        item={`lineId:${line.id}`}
        showsErrors
        action={here}
        encType="multipart/form-data"
        {...getFormProps(form)}
        preventScrollReset
        className="stack-s"
        aria-label={`Dokument: ${line.label}`}
      >
        <input type="hidden" name="to" value={here} />
        <ErrorSummary {...summary("Filerne er ikke modtaget.")} />
        <FileField
          field={fields.journals}
          label="Filer"
          multiple
          accept={acceptAttribute("journal")}
          types={sendingText("journal")}
          received={receivedIn(staged, "journals")}
          refusalOf={(file) => chosenFileRefusal("journal", file)}
        />
        <Button name="intent" value="addMaterialDocuments" size="small" icon="upload" state={state}>
          Upload
        </Button>
      </ActionForm>
    </Disclosure>
  );
}

function Decline({ referral: { id }, line }: LineProps) {
  const here = useThisPage(id);
  const formId = `declineMaterial-${line.id}`;
  const { form, fields, summary, wasRefused, isUnsaved } = useServerForm<{ reply?: string }>(formId, {
    intent: "declineMaterial",
    guarded: "path",
  });
  const state = useButtonState("declineMaterial", formId);
  return (
    <Disclosure quiet title="Har vi ikke / findes ikke" open={wasRefused || isUnsaved}>
      <ActionForm
        operation="declineMaterial"
        place={formId}
        item={`lineId:${line.id}`}
        showsErrors
        action={here}
        {...getFormProps(form)}
        preventScrollReset
        className="stack-s"
        aria-label={`Findes ikke: ${line.label}`}
      >
        <input type="hidden" name="to" value={here} />
        <ErrorSummary {...summary("Svaret er ikke sendt.")} />
        <TextField field={fields.reply} label="Hvorfor?" maxLength={WORDS_LIMIT} autoComplete="off" />
        <Button name="intent" value="declineMaterial" size="small" state={state}>
          Send svaret
        </Button>
      </ActionForm>
    </Disclosure>
  );
}
