import type { ReactNode } from "react";
import { ActionForm, useBusy } from "~/http/forms/action-form";
import { useActionResult } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, type ButtonVariant } from "~/ui/forms/button";
import { TextField } from "~/ui/forms/fields";
import type { IconName } from "~/ui/icons/icon-names";
import { classNames } from "~/ui/layout/class-names";
import { Chip, StateText } from "~/ui/lists/chip";
import { CaveMarks, TextMentions } from "~/components/cave/cave-marks";
import type { ShownEdiMessage } from "./edi-page";

function EarlierLetter({ earlier: { referralId, differences } }: { earlier: NonNullable<ShownEdiMessage["earlier"]> }) {
  return (
    <div className="mt-2">
      {referralId !== null && (
        <div>
          Det første ligger på <a href={paths.referral(referralId)}>nr. {referralId}</a>.
        </div>
      )}
      {differences.length === 0 && <div>Teksten er den samme; brevets filer er nogle andre.</div>}
      {differences.map(({ label, before, now }) => (
        <dl key={label} className="mt-2">
          <dt className="font-semibold">{label}</dt>
          <dd className="whitespace-pre-line break-anywhere">
            <span className="meta">Først:</span> {before || "–"}
          </dd>
          <dd className="whitespace-pre-line break-anywhere">
            <span className="meta">Nu:</span> {now || "–"}
          </dd>
        </dl>
      ))}
    </div>
  );
}

interface Props {
  message: ShownEdiMessage;
  here: string;
}

const grid =
  "px-4 py-3 [&>*+*]:mt-2 table:[&>*+*]:mt-0 table:grid table:grid-cols-[210px_220px_minmax(0,1fr)] desk:grid-cols-[230px_260px_minmax(0,1fr)] table:[grid-gap:4px_20px]";

export const ediRowGrid = (waitsForSomebody: boolean) =>
  classNames(grid, waitsForSomebody && "border-l-[3px] !border-l-warn-frame !pl-[13px]");

export function EdiRow({ message, here }: Props) {
  const {
    id,
    at,
    what,
    numbers,
    sender,
    patient,
    state,
    why,
    isUrgent,
    priority,
    firstLine,
    cave,
    mentions,
    referralId,
    earlier,
    receipt,
    files,
    isLate,
    decided,
    can,
  } = message;
  return (
    <li id={`edi${id}`} className={ediRowGrid(state.tone === "warn")}>
      <div>
        <b>{what}</b>
        <div className="meta break-anywhere">{numbers}</div>
        <time dateTime={at.iso} className="meta">
          {at.text}
        </time>
      </div>
      <div>
        {patient !== null && (
          <>
            <b>{patient.name}</b>
            <div className="meta">{patient.cpr}</div>
          </>
        )}
        {sender !== null && <div className="meta break-anywhere">Fra {sender}</div>}
      </div>
      <div>
        <div className="flex flex-wrap items-center">
          <StateText state={state} className="mr-2" />
          {isUrgent ? (
            <Chip tone="urgent" icon="urgent" title="Prioritet i brevet">
              {priority!.charAt(0).toUpperCase() + priority!.slice(1)}
            </Chip>
          ) : (
            priority !== null && <span className="meta">Prioritet: {priority}</span>
          )}
          {referralId !== null && <a href={paths.referral(referralId)}>nr. {referralId}</a>}
        </div>
        {firstLine !== null && <div className="break-anywhere font-semibold">{firstLine}</div>}
        <div className="empty:hidden">
          <CaveMarks marks={cave} />
        </div>
        <TextMentions mentions={mentions} className="meta break-anywhere" />
        {why !== null && <div className="break-anywhere">{why}</div>}
        {earlier !== null && <EarlierLetter earlier={earlier} />}
        {files.length > 0 && (
          <ul className={classNames("plain-list", isLate ? "text-warn" : "meta")}>
            {files.map((file) => (
              <li key={file} className="break-anywhere">
                {file}
              </li>
            ))}
          </ul>
        )}
        {receipt !== null && <div className="meta">{receipt}</div>}
        {decided !== null && <div className="meta">Afgjort af {decided}</div>}
        {can.import && <ImportForm message={message} here={here} />}
        {can.attach && <AttachForm message={message} here={here} />}
        {can.link && <LinkForm message={message} here={here} />}
        {(can.dismiss || can.readAgain) && (
          <div className="flex flex-wrap items-center -mx-1 [&>*]:m-1 mt-1">
            {can.readAgain && (
              <Act message={message} here={here} intent="readEdiAgain">
                Indlæs igen
              </Act>
            )}
            {can.dismiss && (
              <Act message={message} here={here} intent="dismissEdiMessage" variant="plain">
                Læg til side
              </Act>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

interface ActProps extends Props {
  intent: string;
  variant?: ButtonVariant;
  icon?: IconName;
  field?: ReactNode;
  isAlone?: boolean;
  children: ReactNode;
}

function Act({
  message: { id, patient },
  here,
  intent,
  variant = "outline",
  icon,
  field,
  isAlone = false,
  children,
}: ActProps) {
  const isBusy = useBusy(intent) === "working";
  const formId = `${intent}-${id}`;
  const errors = useActionResult(formId)?.submission?.error?.[""] ?? [];
  return (
    <ActionForm
      operation={intent}
      place={formId}
      item={`messageId:${id}`}
      showsErrors
      action={here}
      preventScrollReset
      className={field || isAlone ? "mt-2" : "inline-block"}
    >
      <div className={field ? "fields-row" : undefined}>
        {field}
        <Button
          value={intent}
          size={field ? "compact" : "small"}
          variant={variant}
          icon={icon}
          aria-disabled={isBusy || undefined}
        >
          {children}
          <span className="sr-only">
            , {patient?.name ?? "EDI-besked"}, {id}
          </span>
        </Button>
      </div>
      {errors.length > 0 && (
        <Notice kind="error" live className="mt-2">
          {errors.join(" ")}
        </Notice>
      )}
    </ActionForm>
  );
}

function useField(intent: string, id: number, name: string) {
  const submission = useActionResult(`${intent}-${id}`)?.submission;
  const typed = submission?.initialValue?.[name];
  return { typed: typeof typed === "string" ? typed : undefined, error: submission?.error?.[name]?.join(" ") };
}

function ImportForm({ message, here }: Props) {
  const { id, can } = message;
  const { typed, error } = useField("importEdiMessage", id, "cpr");
  const field = can.needsCpr && (
    <TextField
      name="cpr"
      id={`cpr-${id}`}
      label="CPR-nummer"
      width={10}
      autoComplete="off"
      defaultValue={typed}
      error={error}
    />
  );
  return (
    <Act message={message} here={here} intent="importEdiMessage" isAlone field={field}>
      Opret henvisning
    </Act>
  );
}

function AttachForm({ message, here }: Props) {
  const { id, can, earlier } = message;
  const { typed, error } = useField("attachEdiMessage", id, "visitNumber");
  return (
    <Act
      message={message}
      here={here}
      intent="attachEdiMessage"
      field={
        <TextField
          name="visitNumber"
          id={`visit-${id}`}
          label={
            can.candidates.length > 0
              ? `Henvisning nr. (patientens åbne: ${can.candidates.join(", ")})`
              : "Henvisning nr."
          }
          inputMode="numeric"
          autoComplete="off"
          defaultValue={typed ?? String(earlier?.referralId ?? (can.candidates.length === 1 ? can.candidates[0] : ""))}
          error={error}
        />
      }
    >
      Læg på henvisning
    </Act>
  );
}

function LinkForm({ message, here }: Props) {
  const { typed, error } = useField("linkEdiSender", message.id, "referrer");
  return (
    <Act
      message={message}
      here={here}
      intent="linkEdiSender"
      variant="outline"
      field={
        <TextField
          name="referrer"
          id={`referrer-${message.id}`}
          label="Henviser er ukendt: henviserens navn"
          autoComplete="off"
          defaultValue={typed}
          error={error}
        />
      }
    >
      Kobl afsender
    </Act>
  );
}
