import { type FocusEvent, type FormEvent, useState, type ReactNode } from "react";
import { PROTECTED_ADDRESS_WARNING } from "~/features/referrals/model/confirmation-questions";
import { lookUpOutcomes } from "~/features/referrals/wizard/look-up-outcomes";
import type { PatientLookUp } from "~/features/referrals/wizard/look-up-patient.server";
import { Notice } from "~/ui/feedback/notice";
import type { FormField } from "~/ui/forms/field";
import { TextField, TextArea } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { FieldRow, FormPart } from "~/ui/layout/page";
import { ChangingText, Verbatim } from "~/ui/layout/translation";
import { type FactIn, facts, lineProps, textProps } from "~/features/referrals/model/facts";
import { answerOf, isAsked } from "~/features/referrals/model/known-none";
import { healthPrompts } from "~/features/referrals/model/offered-prompts";
import type { PatientField } from "~/features/referrals/model/patient-labels";
import { describeTeeth } from "~/features/referrals/model/teeth";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, sendingText } from "~/files/file-texts";
import { Checkbox } from "~/ui/forms/choices";
import { FileField, type ReceivedFile } from "~/ui/forms/file-field";
import type { WizardData } from "../../present";
import { AskedText } from "./asked-text";

const REQUIRED = ["firstName", "lastName", "address", "zip", "city"] as const;
const SHOWN = [...REQUIRED, "mobilePhone", "phone", "email"] as const;
type Shown = Record<(typeof SHOWN)[number], string>;

type DetailField = (typeof SHOWN)[number] | FactIn<"patient"> | "emailConfirm";

interface PatientDetailsProps {
  fields: Record<DetailField, FormField>;
  isProtected: boolean;
  found: PatientLookUp | undefined;
}

/** Shows the patient's fields, or folds them to one line once a look-up has filled all required ones. */
export function PatientDetails({ fields, isProtected, found }: PatientDetailsProps) {
  const hasErrors = Object.values(fields).some(({ errors }) => errors !== undefined);
  const [seen, setSeen] = useState(found);
  const [shown, setShown] = useState(
    () => Object.fromEntries(SHOWN.map((name) => [name, fields[name].defaultValue ?? ""])) as Shown,
  );
  const [hasCard, setCard] = useState(() => isFilledBy(found, shown));
  const [isOpen, setOpen] = useState(!hasCard);
  if (found !== seen) {
    setSeen(found);
    const values = { ...shown, ...found?.values };
    setShown(values);
    if (found?.lookUp) {
      setCard(isFilledBy(found, values));
      setOpen(!isFilledBy(found, values));
    }
  }
  const edit = ({ target }: FormEvent) => {
    const { name, value } = target as HTMLInputElement;
    if (name in shown) setShown({ ...shown, [name]: value.trim() });
  };
  return (
    <details open={isOpen || hasErrors} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} onInput={edit}>
      <summary className={hasCard ? "patient-card no-marker" : "hidden"}>
        <Icon name="right" className="mr-2 text-primary-ink [[open]>summary>&]:[transform:rotate(90deg)]" />
        <Card shown={shown} age={found?.age ?? null} />
        <span className="ml-3 text-primary-ink font-semibold">Ret</span>
      </summary>
      <div className="fields">
        <p className="meta">Felter med * skal udfyldes.</p>
        <FieldRow>
          <TextField field={fields.firstName} label="Fornavn" autoComplete="off" />
          <TextField field={fields.lastName} label="Efternavn" autoComplete="off" />
        </FieldRow>
        <TextField field={fields.profession} {...lineProps("profession")} optional autoComplete="off" />
        <TextField field={fields.address} {...lineProps("address")} required={!isProtected} autoComplete="off" />
        <FieldRow narrow>
          <TextField field={fields.zip} {...lineProps("zip")} required={!isProtected} autoComplete="off" />
          <TextField field={fields.city} {...lineProps("city")} required={!isProtected} autoComplete="off" />
        </FieldRow>
        {isProtected && (shown.address || shown.zip || shown.city) !== "" && (
          <Notice kind="warn" live>
            {PROTECTED_ADDRESS_WARNING} Tøm felterne, medmindre patienten selv vil have adressen med.
          </Notice>
        )}
        <FieldRow>
          <TextField field={fields.mobilePhone} {...lineProps("mobilePhone")} optional type="tel" autoComplete="off" />
          <TextField field={fields.phone} {...lineProps("phone")} optional type="tel" autoComplete="off" />
        </FieldRow>
        <EmailPair email={fields.email} confirm={fields.emailConfirm} />
      </div>
    </details>
  );
}

export const isFound = (found: PatientLookUp | undefined) =>
  found?.lookUp != null && lookUpOutcomes[found.lookUp.outcome].succeeded;

const isFilledBy = (found: PatientLookUp | undefined, values: Shown) =>
  isFound(found) && REQUIRED.every((name) => values[name] !== "");

function Card({ shown, age }: { shown: Shown; age: number | null }) {
  const phones = [shown.mobilePhone, shown.phone].filter(Boolean).join(" og ");
  const lines = [
    age === null ? "" : `${age} år`,
    `${shown.address}, ${shown.zip} ${shown.city}`,
    phones === "" ? "uden telefon" : phones,
    shown.email,
  ];
  return (
    <span className="flex-1 min-w-0 break-anywhere">
      <Verbatim className="font-semibold">{`${shown.firstName} ${shown.lastName}`}</Verbatim>
      <ChangingText text={lines.map((fact) => fact && ` · ${fact}`).join("")} />
    </span>
  );
}

/**
 * E-mail and confirmation, checked when a field is left. An error replaces the hint, so that nothing moves under a
 * button.
 */
function EmailPair({ email, confirm }: { email: FormField; confirm: FormField }) {
  const [wrong, setWrong] = useState<{ email?: string; confirm?: string }>({});
  function compare({ currentTarget }: FocusEvent<HTMLDivElement>) {
    const [first, second] = Array.from(currentTarget.querySelectorAll("input"));
    if (!first || !second) return;
    first.value = first.value.trim();
    second.value = second.value.trim();
    const isOdd = first.validity.typeMismatch || first.validity.badInput;
    setWrong({
      ...(isOdd ? { email: "Skriv en e-mailadresse, fx navn@eksempel.dk, eller lad feltet stå tomt." } : {}),
      ...(second.value !== "" && first.value.toLowerCase() !== second.value.toLowerCase()
        ? { confirm: "Email does not match" }
        : {}),
    });
  }
  return (
    <div onBlur={compare}>
      <FieldRow top>
        <TextField
          field={email}
          label="E-mail"
          optional
          type="email"
          autoComplete="off"
          hint={
            <WarningOrHint wrong={email.errors ? undefined : wrong.email}>
              Lad feltet stå tomt, hvis patienten ikke har en e-mail.
            </WarningOrHint>
          }
        />
        <TextField
          field={confirm}
          label="Gentag e-mail"
          type="email"
          autoComplete="off"
          hint={
            <WarningOrHint wrong={confirm.errors ? undefined : wrong.confirm}>Skriv e-mailadressen igen.</WarningOrHint>
          }
        />
      </FieldRow>
    </div>
  );
}

function WarningOrHint({ wrong, children }: { wrong: string | undefined; children: string }) {
  return wrong ? (
    <span className="text-err" role="alert">
      {wrong}
    </span>
  ) : (
    <>{children}</>
  );
}

const isUsed = ({ defaultValue, errors }: FormField) => Boolean(defaultValue) || errors !== undefined;

/** A field that few referrals need: a line that becomes the field when it is pressed. */
function Addition({ label, isOpen, children }: { label: string; isOpen: boolean; children: ReactNode }) {
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        // The line that had the focus is gone.
        if (currentTarget.open && document.activeElement === currentTarget.querySelector("summary"))
          currentTarget.querySelector<HTMLElement>("textarea, input")?.focus();
      }}
    >
      <summary className="no-marker flex items-center min-h-11 table:min-h-8 rounded-sm text-primary-ink font-semibold">
        <Icon name="plus" size={18} className="mr-1.5" />
        {label}
      </summary>
      {children}
    </details>
  );
}

/** Label and field in one line where there is room, as the entry is short. */
function TeethField({ field }: { field: FormField }) {
  return (
    <TextField
      field={field}
      label={`${facts.teeth.label} (FDI)`}
      autoComplete="off"
      className="mt-2 wide:flex wide:flex-wrap wide:items-center wide:[&>label]:m-0 wide:[&>label]:mr-3 wide:[&>input]:flex-1 wide:[&>input]:min-w-0"
      hint={field.defaultValue && !field.errors ? describeTeeth(field.defaultValue) : undefined}
    />
  );
}

const INTERPRETER_HINT = "Sproget, fx arabisk eller tegnsprog.";

interface ClinicalPartProps {
  wizard: WizardData;
  fields: Record<PatientField | "keepJournals", FormField>;
  found: PatientLookUp | undefined;
  receivedJournals: readonly ReceivedFile[];
}

export function ClinicalPart({ wizard, fields, found, receivedJournals }: ClinicalPartProps) {
  const prompts = healthPrompts.filter(
    (name) =>
      wizard.offeredPrompts.includes(name) || isUsed(fields[name]) || (isAsked(name) && isUsed(fields[answerOf(name)])),
  );
  return (
    <FormPart title="Kliniske oplysninger">
      <div className="clinical">
        <TextArea
          field={fields.desiredTreatment}
          {...textProps("desiredTreatment")}
          rows={3}
          // Without JavaScript the page comes back from the look-up.
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is left to be typed once the patient is found
          autoFocus={isFound(found)}
        />
        <div>
          <TextArea
            field={fields.diagnose}
            {...textProps("diagnose")}
            optional
            rows={prompts.includes("teeth") ? 1 : 3}
            className={prompts.includes("teeth") ? "wide:[&>textarea]:min-h-9" : undefined}
          />
          {prompts.includes("teeth") && <TeethField field={fields.teeth} />}
        </div>
      </div>
      <input type="hidden" name="withPrompts" value="on" />
      {prompts.some(isAsked) && (
        <div className="[&>*+*]:mt-3 wide:[&>*+*]:mt-2">
          {prompts.filter(isAsked).map((name) => (
            <AskedText key={name} name={name} fields={fields} lastSaid={found?.lastSaid[name]} />
          ))}
        </div>
      )}
      <div className="additions chips" role="group" aria-label="Andet om patienten">
        {prompts
          .flatMap((name) => (isAsked(name) || name === "teeth" ? [] : name))
          .map((name) => (
            <Addition key={name} label={lineProps(name).label} isOpen={isUsed(fields[name])}>
              {name === "interpreter" ? (
                <TextField field={fields[name]} label={facts[name].label} optional hint={INTERPRETER_HINT} />
              ) : (
                <TextArea field={fields[name]} {...textProps(name)} optional rows={1} />
              )}
            </Addition>
          ))}
      </div>
      <div className="additions">
        <Addition label="Tilføj tidligere behandling" isOpen={isUsed(fields.previousTreatment)}>
          <TextArea field={fields.previousTreatment} {...textProps("previousTreatment")} optional rows={2} />
        </Addition>
        <Addition label="Tilføj kommentar" isOpen={isUsed(fields.comment)}>
          <TextArea field={fields.comment} {...textProps("comment")} optional rows={2} />
        </Addition>
        <Addition
          label="Tilføj journal"
          isOpen={isUsed(fields.journals) || wizard.journals.length + receivedJournals.length > 0}
        >
          {wizard.journals.map((file) => (
            <Checkbox key={file.id} field={fields.keepJournals} value={file.id} label={`Behold ${file.fileName}`} />
          ))}
          <FileField
            field={fields.journals}
            label="Journalfiler"
            optional
            multiple
            accept={acceptAttribute("journal")}
            types={sendingText("journal")}
            hint="Kopi af journalen."
            received={receivedJournals}
            refusalOf={(file) => chosenFileRefusal("journal", file)}
          />
        </Addition>
      </div>
    </FormPart>
  );
}
