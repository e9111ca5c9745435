import { STATUS_FORM } from "~/components/status-form/row-save-state";
import { ActionForm, IntentButton, receivedIn, useServerForm } from "~/http/forms/action-form";
import { materialKinds, NOTE_LIMIT, WORDS_LIMIT } from "~/features/referrals/model/material-kinds";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, sendingText } from "~/files/file-texts";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { useTimesSaved } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { filePaths } from "~/features/referrals/file-paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { TextArea, TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { EditForm, EditLink, useThisPage } from "../../edit-form";
import { missingText } from "~/features/referrals/model/missing-texts";
import { AWAITING_MATERIAL, AWAITING_TRIAGE } from "~/features/referrals/model/statuses";
import { CheckboxGroup } from "~/ui/forms/choices";
import { Section } from "~/ui/layout/page";
import { StatusReturn } from "../../status-line";

type Line = NonNullable<OpenReferral["material"]>["lines"][number];
interface LineProps {
  referral: OpenReferral;
  line: Line;
}

function MaterialLine({ referral, line }: LineProps) {
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
            <a data-file href={filePaths.referralFile(id, fileId)}>
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
  return (
    <Disclosure quiet title="Upload dokument" open={wasRefused}>
      <ActionForm
        operation="addMaterialDocuments"
        place={formId}
        item={`lineId:${line.id}`}
        action={here}
        encType="multipart/form-data"
        of={form}
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
        <IntentButton value="addMaterialDocuments" size="small" icon="upload" formId={formId}>
          Upload
        </IntentButton>
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
  return (
    <Disclosure quiet title="Har vi ikke / findes ikke" open={wasRefused || isUnsaved}>
      <ActionForm
        operation="declineMaterial"
        place={formId}
        item={`lineId:${line.id}`}
        action={here}
        of={form}
        preventScrollReset
        className="stack-s"
        aria-label={`Findes ikke: ${line.label}`}
      >
        <input type="hidden" name="to" value={here} />
        <ErrorSummary {...summary("Svaret er ikke sendt.")} />
        <TextField field={fields.reply} label="Hvorfor?" maxLength={WORDS_LIMIT} autoComplete="off" />
        <IntentButton value="declineMaterial" size="small" formId={formId}>
          Send svaret
        </IntentButton>
      </ActionForm>
    </Disclosure>
  );
}

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["material"]>;

const labels = { kinds: "Hvad mangler?", otherText: "Andet, som mangler", note: "Besked til henviseren" };

function MaterialForm({ referral, values }: { referral: OpenReferral; values: Values }) {
  const form = useServerForm<Values>("askForMaterial", {
    defaultValue: values,
    sees: { status: String(referral.status) },
    firstInput: { kinds: `askForMaterial-kinds-${materialKinds[0]!.value}` },
    labels,
  });
  const { fields } = form;
  const isChange = values.kinds.length > 0;
  return (
    <EditForm
      referral={referral}
      part="materiale"
      form={form}
      label={isChange ? "Gem listen" : "Bed om materialet"}
      icon={isChange ? "save" : "send"}
    >
      <CheckboxGroup field={fields.kinds} label={labels.kinds} choices={materialKinds} />
      <TextField field={fields.otherText} label={labels.otherText} maxLength={WORDS_LIMIT} autoComplete="off" />
      <TextArea
        field={fields.note}
        label={labels.note}
        hint={
          isChange
            ? undefined
            : "Henviseren får en mail om, at der mangler noget. Listen og beskeden står kun i portalen."
        }
        rows={2}
        limit={NOTE_LIMIT}
        optional
      />
    </EditForm>
  );
}

export function MaterialPart({ referral }: { referral: OpenReferral }) {
  const { id, material, edit, mayEdit, status, earlierRequests } = referral;
  const form = edit?.material;
  if (!form && !material && !(mayEdit && status === AWAITING_MATERIAL))
    return earlierRequests.length === 0 ? null : (
      <div className="px-4 desk:px-6 pt-2 border-b border-line2">
        <EarlierRequests requests={earlierRequests} />
      </div>
    );
  return (
    <div className="px-4 desk:px-6 border-b border-line2">
      <Section
        title={material ? titleOf(material) : "Mangler materiale"}
        id="materiale"
        note={material && !material.completedOn && `bedt om ${material.requestedOn}`}
        tools={
          mayEdit &&
          !form &&
          material?.missing !== 0 && (
            <div className="row">
              <EditLink referralId={id} part="materiale" label="Ret listen over, hvad der mangler">
                {material ? "Ret" : "Skriv, hvad der mangler"}
              </EditLink>
              {material && <WithdrawRequest referral={referral} />}
            </div>
          )
        }
      >
        <EarlierRequests requests={earlierRequests} />
        {form ? (
          <MaterialForm referral={referral} values={form} />
        ) : material === null ? (
          <p className="text-ink2">Henviseren har ikke fået en liste.</p>
        ) : (
          <>
            {material.note && <p className="lined mb-2">{material.note}</p>}
            <ul className="plain [&>li]:py-1.5 [&>li+li]:border-t [&>li+li]:border-line">
              {material.lines.map((line) => (
                <MaterialLine key={line.id} referral={referral} line={line} />
              ))}
            </ul>
          </>
        )}
      </Section>
    </div>
  );
}

function EarlierRequests({ requests }: { requests: OpenReferral["earlierRequests"] }) {
  if (requests.length === 0) return null;
  return (
    <ul className="plain meta mb-2" aria-label="Hvad der manglede før for samme patient">
      {requests.map(({ id, referralId, requestedOn, items }) => (
        <li key={id}>
          Manglede {requestedOn}
          {referralId !== null && (
            <>
              {" "}
              i <a href={paths.referral(referralId)}>nr. {referralId}</a>
            </>
          )}
          : {items}
        </li>
      ))}
    </ul>
  );
}

const titleOf = ({ completedOn, missing, lines }: NonNullable<OpenReferral["material"]>) => {
  if (!completedOn) return missingText(missing);
  return lines.some(({ answer }) => answer === "files")
    ? `Materiale modtaget ${completedOn}`
    : `Henviseren har svaret ${completedOn}`;
};

function WithdrawRequest({ referral }: { referral: OpenReferral }) {
  const here = useThisPage(referral.id);
  return (
    <ActionForm
      operation="setStatus"
      place={STATUS_FORM}
      others={["undoStatuses"]}
      showsErrors
      action={here}
      preventScrollReset
    >
      <input type="hidden" name="status" value={AWAITING_TRIAGE} />
      <StatusReturn here={here} />
      <Button value="setStatus" variant="plain" size="small" fit="tight" icon="undo">
        Træk tilbage
      </Button>
    </ActionForm>
  );
}
