import { readReminders, saveReminderSettings } from "~/features/reminders/reminder-settings.server";
import { channelLabels } from "~/features/delivery/delivery-outcome";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Checkbox, CheckboxGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import type { FormField } from "~/ui/forms/field";
import { type Choice, SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { FieldRow, FormPart } from "~/ui/layout/page";
import { SaveBar } from "~/ui/layout/save-bar";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";

const slots = [1, 2, 3] as const;

const TEXT_LIMIT = 1000;

const labels = {
  isOn: "Send påmindelser",
  days1: "Dage før, 1. påmindelse",
  hour1: "Klokken",
  text1: "Tekst, 1. påmindelse",
  days2: "Dage før, 2. påmindelse",
  hour2: "Klokken",
  text2: "Tekst, 2. påmindelse",
  days3: "Dage før, 3. påmindelse",
  hour3: "Klokken",
  text3: "Tekst, 3. påmindelse",
  quietFrom: "Fra kl.",
  quietTo: "Til kl.",
  skipsHolidays: "Send ikke på søn- og helligdage, men dagen før",
  excludedTypes: "Send ikke påmindelser for",
  tellsImportedTimes: "Klinikken giver selv besked om importerede tider",
  sendsCaseLink: "Send patienten et link til sagen, når henvisningen er modtaget",
};

const hours: readonly Choice[] = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, "0")}.00`,
}));

export default function Reminders() {
  const { values, treatments, standardText, canSend, channel } = useLoaderData<typeof loader>();
  const { form, fields, opened, summary } = useServerForm<
    Record<Exclude<keyof typeof labels, "excludedTypes">, string> & { excludedTypes: string[] }
  >("saveReminderSettings", { labels, defaultValue: values as never });
  const field = (name: string) => (fields as unknown as Record<string, FormField>)[name]!;
  return (
    <ActionForm
      operation="saveReminderSettings"
      preventScrollReset
      of={form}
      opened={opened}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Påmindelserne er ikke gemt.")} />
      {!canSend && (
        <Notice kind="warn">
          {channelLabels[channel]} er ikke indstillet på serveren, så ingen påmindelser sendes.
        </Notice>
      )}
      <FormPart
        title="Påmindelser"
        hint={`${channelLabels[channel]} til patienter, der har en tid. Hver sendes én gang for hver tid; flyttes tiden, gælder de den nye.`}
      >
        <Checkbox field={field("isOn")} label={labels.isOn} />
        <p className="meta">
          Ingen påmindelse går til den, der har bekræftet eller meldt afbud, har svaret STOP, eller hvis henvisning er
          afsluttet.
        </p>
      </FormPart>
      {slots.map((slot) => (
        <FormPart
          key={slot}
          title={`${slot}. påmindelse`}
          {...(slot === 1 ? { hint: `Uden dage bruges den ikke. Uden tekst: ${standardText}` } : {})}
        >
          <div className="tablet:grid tablet:grid-cols-[88px_104px_1fr] tablet:grid-gap-4 items-start [&>*+*]:mt-4 tablet:[&>*+*]:mt-0">
            <TextField
              field={field(`days${slot}`)}
              label="Dage før"
              aria-label={labels[`days${slot}`]}
              inputMode="numeric"
              autoComplete="off"
            />
            <SelectField
              field={field(`hour${slot}`)}
              label={labels[`hour${slot}`]}
              aria-label={`Klokken, ${slot}. påmindelse`}
              choices={hours}
            />
            <TextArea
              field={field(`text${slot}`)}
              label="Tekst"
              aria-label={labels[`text${slot}`]}
              optional
              rows={2}
              limit={TEXT_LIMIT}
            />
          </div>
        </FormPart>
      ))}
      <FormPart
        title="Stille timer"
        hint="En påmindelse i de stille timer venter, til de er forbi, men aldrig til efter tiden."
      >
        <FieldRow>
          <SelectField field={field("quietFrom")} label={labels.quietFrom} choices={hours} width={6} />
          <SelectField field={field("quietTo")} label={labels.quietTo} choices={hours} width={6} />
        </FieldRow>
        <Checkbox field={field("skipsHolidays")} label={labels.skipsHolidays} />
      </FormPart>
      {treatments.length > 0 && (
        <FormPart title="Behandlingstyper" hint="De øvrige får påmindelser.">
          <CheckboxGroup
            field={field("excludedTypes")}
            label={labels.excludedTypes}
            choices={treatments.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </FormPart>
      )}
      <FormPart
        title="Importerede tider"
        hint="Flytter eller aflyser en fil med tider en tid, som patienten har fået at vide, står henvisningen i køen »skal have besked om tiden«."
      >
        <Checkbox field={field("tellsImportedTimes")} label={labels.tellsImportedTimes} />
        <p className="meta">Sæt kun kryds, hvis et andet system sender besked. Så kommer de ikke i køen.</p>
      </FormPart>
      <FormPart
        title="Link til sagen"
        hint={`Én ${channelLabels[channel]}. Linket viser patienten, hvor sagen er, og hvornår der sker noget, uden at logge ind og uden at nævne behandlingen.`}
      >
        <Checkbox field={field("sendsCaseLink")} label={labels.sendsCaseLink} />
        <p className="meta">
          Går ikke til numre, der har svaret STOP, og ikke i de stille timer.{" "}
          <a href={paths.messageText("caseLink", channel)}>Ret teksten til linket</a>
        </p>
      </FormPart>
      <SaveBar>
        <IntentButton value="saveReminderSettings" variant="primary">
          Gem påmindelser
        </IntentButton>
        <a className="meta" href={paths.messageText("appointmentReminder", channel)}>
          Ret teksten under Beskeder
        </a>
      </SaveBar>
    </ActionForm>
  );
}

export const meta = pageTitle("Påmindelser");

export const handle = { pageForm: () => "saveReminderSettings" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readReminders, {}, { forms: { saveReminderSettings } });

export const action = (args: ActionFunctionArgs) => runCommand(args, { saveReminderSettings });
