import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import {
  readNamesAndDeadlines,
  saveCriticalMedicines,
  saveNamesAndDeadlines,
  saveOpeningHours,
} from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import {
  deadlineSetting,
  MATERIAL_REMINDERS,
  materialReminderSetting,
  openStatuses,
  LAST_ARRIVAL,
  urgentDeadlineSetting,
} from "~/features/referrals/model/deadlines";
import { facts } from "~/features/referrals/model/facts";
import { MIN_BEGINNING } from "~/features/referrals/model/critical-medicines";
import { weekdays } from "~/features/opening-hours/opening-hours";
import { healthPrompts } from "~/features/referrals/model/offered-prompts";
import { STANDARD_ACTIVE_DAYS } from "~/features/settings/clinic-settings";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { atTime } from "~/text/dates";
import { CheckboxGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea, TextField } from "~/ui/forms/fields";
import { FieldRow, FormPart } from "~/ui/layout/page";
import { SaveBar } from "~/ui/layout/save-bar";

export const meta = pageTitle("Navne og frister");

export const handle = { pageForm: () => "saveNamesAndDeadlines" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readNamesAndDeadlines,
    {},
    { forms: { saveNamesAndDeadlines, saveOpeningHours, saveCriticalMedicines } },
  );

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { saveNamesAndDeadlines, saveOpeningHours, saveCriticalMedicines });

const labels = {
  status16Label: "Navn på status 16",
  statusActiveDays: "Dage, før en indkaldelse har ventet for længe",
  messageMailAddress: "Klinikkens e-mail",
  alarmMailAddress: "E-mail til alarm",
  offeredPrompts: "Der spørges om",
};
const deadlineLabels = Object.fromEntries([
  ...openStatuses.flatMap(({ value, label }) => [
    [deadlineSetting(value), label],
    [urgentDeadlineSetting(value), `${label}, haster`],
  ]),
  ...MATERIAL_REMINDERS.map(({ nth, label }) => [materialReminderSetting(nth), label]),
]) as Record<string, string>;

const inDays = (days: number) => `${days} ${days === 1 ? "dag" : "dage"}`;

type Values = Record<string, string | string[]>;

export default function NamesAndDeadlines() {
  const { names, opening, medicines } = useLoaderData<typeof loader>();
  return (
    <div className="stack">
      <NamesForm names={names} />
      <OpeningForm opening={opening} />
      <MedicinesForm medicines={medicines} />
    </div>
  );
}

function NamesForm({ names }: { names: Values }) {
  const { form, fields, opened, summary } = useServerForm<Values>("saveNamesAndDeadlines", {
    labels: { ...labels, ...deadlineLabels },
    defaultValue: names,
  });
  return (
    <ActionForm
      operation="saveNamesAndDeadlines"
      preventScrollReset
      of={form}
      opened={opened}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Navne og frister er ikke gemt.")} />
      <FormPart title="Statusser" hint="Status 16 bærer et navn, som klinikken selv vælger.">
        <TextField
          field={fields.status16Label}
          label={labels.status16Label}
          hint="Når feltet er tomt: Afventer overlæge."
          autoComplete="off"
        />
      </FormPart>
      <FormPart title="Frister" hint="Oversigten advarer om indkaldte, der har ventet længere.">
        <TextField
          field={fields.statusActiveDays}
          label={labels.statusActiveDays}
          hint={`Når feltet er tomt: ${STANDARD_ACTIVE_DAYS} dage.`}
          width={6}
          inputMode="numeric"
          autoComplete="off"
        />
      </FormPart>
      <FormPart
        title="Næste dato"
        hint={`Er der ikke sket noget inden for dagene, er henvisningen tavs og står forrest i oversigtens køer. Dagene tæller fra den dag, den fik sin status; på vent og før en planlagt operation er den aldrig tavs. 0 dage er samme dag, og for det, der kommer efter ${atTime(LAST_ARRIVAL)}, næste hverdag.`}
      >
        <div className="stack-s">
          {openStatuses.map(({ value, label, days, urgentDays }) => (
            <fieldset key={value} className="m-0 p-0 border-0">
              <legend className="font-semibold">{label}</legend>
              <FieldRow>
                <TextField
                  field={fields[deadlineSetting(value)]!}
                  label="Almindelig"
                  hint={`Når feltet er tomt: ${inDays(days)}.`}
                  width={6}
                  inputMode="numeric"
                  autoComplete="off"
                />
                <TextField
                  field={fields[urgentDeadlineSetting(value)]!}
                  label="Haster"
                  hint={`Når feltet er tomt: ${urgentDays === 0 ? "samme dag" : inDays(urgentDays)}.`}
                  width={6}
                  inputMode="numeric"
                  autoComplete="off"
                />
              </FieldRow>
            </fieldset>
          ))}
        </div>
      </FormPart>
      <FormPart
        title="Manglende materiale"
        hint="Henviseren mindes pr. mail så mange dage efter, at klinikken har bedt om noget; på hverdage mellem 8 og 16."
      >
        <div className="tablet:grid tablet:grid-cols-[1fr_1fr] tablet:grid-gap-4 [&>*+*]:mt-4 tablet:[&>*+*]:mt-0">
          {MATERIAL_REMINDERS.map(({ nth, label, days }) => (
            <TextField
              key={nth}
              field={fields[materialReminderSetting(nth)]!}
              label={label}
              hint={`Når feltet er tomt: ${days} dage. 0: ingen.`}
              width={6}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
        </div>
      </FormPart>
      <FormPart title="Felter ved Diagnose" hint="Valgfri felter, som den, der henviser, kan udfylde ved Diagnose.">
        <CheckboxGroup
          field={fields.offeredPrompts!}
          label={labels.offeredPrompts}
          choices={healthPrompts.map((name) => ({ value: name, label: facts[name].label }))}
        />
      </FormPart>
      <FormPart
        title="Mail om nye beskeder"
        hint="Når en henviser eller patient skriver, får klinikken en mail med henvisningens nummer og et link."
      >
        <TextField
          field={fields.messageMailAddress}
          label={labels.messageMailAddress}
          type="email"
          hint="Gælder alle henvisninger. Tomt felt: der sendes ingen mail til klinikken."
          autoComplete="off"
        />
      </FormPart>
      <FormPart
        title="Alarm, når det haster"
        hint="En mail med numre alene, når der kommer en hastehenvisning eller et hastebrev pr. EDI, eller når en patient skriver om fx blødning eller feber. Højst én hvert kvarter; det næste samles."
      >
        <TextField
          field={fields.alarmMailAddress}
          label={labels.alarmMailAddress}
          type="email"
          hint={
            names["alarmMailAddress"] === ""
              ? "Ikke indstillet: der sendes ingen alarm."
              : "Tomt felt: der sendes ingen alarm."
          }
          autoComplete="off"
        />
      </FormPart>
      <SaveBar>
        <IntentButton value="saveNamesAndDeadlines" variant="primary">
          Gem
        </IntentButton>
      </SaveBar>
    </ActionForm>
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const hourFields = weekdays.map((day, index) => ({ name: `openingHours${index + 1}`, label: capital(day) }));

const openingLabels = {
  ...Object.fromEntries(hourFields.map(({ name, label }) => [name, label])),
  closedDays: "Lukkedage",
};

function OpeningForm({ opening }: { opening: Record<string, string> }) {
  const { form, fields, opened, summary } = useServerForm<Record<string, string>>("saveOpeningHours", {
    labels: openingLabels,
    defaultValue: opening,
  });
  const isSet = hourFields.some(({ name }) => opening[name] !== "");
  return (
    <ActionForm operation="saveOpeningHours" preventScrollReset of={form} opened={opened} className="panel panel-body">
      <ErrorSummary {...summary("Åbningstiderne er ikke gemt.")} />
      <FormPart
        title="Åbningstider"
        hint={`Den, der henviser en patient, hvor det haster, læser, hvornår klinikken har åbent, og om der er lukket nu. ${isSet ? "Et tomt felt er en lukket dag." : "Ikke indstillet: der står intet om åbningstider."}`}
      >
        <div className="flex flex-wrap -ml-4 -mt-4 [&>*]:ml-4 [&>*]:mt-4">
          {hourFields.map(({ name, label }) => (
            <TextField
              key={name}
              field={fields[name]!}
              label={label}
              width={6}
              placeholder={isSet ? "Lukket" : "8–16"}
              autoComplete="off"
            />
          ))}
        </div>
        <TextArea
          field={fields["closedDays"]!}
          label={openingLabels.closedDays}
          hint="Én dato på hver linje, gerne med et ord: 23.12.2026 Juleferie. Helligdage, 5. juni, 24. og 31. december er altid lukkede. Frister flyttes også til den næste hverdag, hvor der er åbent."
          optional
          rows={5}
          autoComplete="off"
          spellCheck={false}
        />
        <IntentButton value="saveOpeningHours" variant="primary">
          Gem åbningstiderne
        </IntentButton>
      </FormPart>
    </ActionForm>
  );
}

const medicineLabels = { criticalMedicines: "Ord, der markeres" };

function MedicinesForm({ medicines }: { medicines: { criticalMedicines: string } }) {
  const { form, fields, opened, summary } = useServerForm<typeof medicines>("saveCriticalMedicines", {
    labels: medicineLabels,
    defaultValue: medicines,
  });
  return (
    <ActionForm
      operation="saveCriticalMedicines"
      preventScrollReset
      of={form}
      opened={opened}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Medicinlisten er ikke gemt.")} />
      <FormPart
        title="Medicin, der ændrer en operation"
        hint="Markeres ved patientens navn, når den står under Medicin, og nævnes dér, når den står i henviserens andre tekster."
      >
        <TextArea
          field={fields.criticalMedicines}
          label={medicineLabels.criticalMedicines}
          hint={`Ét ord på hver linje. Begyndelsen er nok: alendron finder også Alendronat. Ord med under ${MIN_BEGINNING} bogstaver findes kun alene. Tomt felt: ingen medicin markeres.`}
          optional
          rows={12}
          autoComplete="off"
          spellCheck={false}
        />
        <IntentButton value="saveCriticalMedicines" variant="primary">
          Gem medicinlisten
        </IntentButton>
      </FormPart>
    </ActionForm>
  );
}
