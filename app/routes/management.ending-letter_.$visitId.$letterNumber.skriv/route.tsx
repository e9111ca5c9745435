import { PageHead } from "~/components/page-frame/page-frame";
import { previewLetter, readLetterForm, writeLetter } from "~/features/discharge-letters/write-letter.server";
import { type PageOf, runPage, runCommand } from "~/http/runners/page.server";
import { type FormEvent, type MouseEvent, useState } from "react";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import {
  letterBody,
  letterParts,
  letterSubject,
  parsePhrase,
  withPhraseAt,
  type WrittenLetter,
} from "~/features/discharge-letters/letter-text";
import { filePaths } from "~/features/referrals/file-paths";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldSet } from "~/ui/forms/field";
import { SelectField, TextArea } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Verbatim } from "~/ui/layout/translation";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData, useLocation } from "@remix-run/react";
import { pageTitle } from "~/http/title";

const FORM = "writeLetter";
const labels = { ...Object.fromEntries(letterParts.map(({ name, label }) => [name, label])), images: "Billeder" };

type Fields = Record<keyof WrittenLetter, string> & { images: string[] };

interface PhrasePickerProps {
  part: (typeof letterParts)[number];
  phrases: readonly ReturnType<typeof parsePhrase>[];
}

/** The clinic's standard phrases: a press adds one; without JavaScript the form comes back with the chosen one. */
function PhrasePicker({ part, phrases }: PhrasePickerProps) {
  if (phrases.length === 0) return null;
  const insert = (event: MouseEvent<HTMLButtonElement>, phrase: string) => {
    const area = event.currentTarget.form!.elements.namedItem(part.name) as HTMLTextAreaElement;
    const { text, cursor } = withPhraseAt(area.value, phrase, area.selectionEnd);
    area.value = text;
    // Setting a value fires no event, and the letter beside the form shows it.
    area.dispatchEvent(new Event("input", { bubbles: true }));
    area.focus();
    area.setSelectionRange(cursor, cursor);
  };
  const label = `Standardsætninger til ${part.label}`;
  return (
    <>
      <div role="group" aria-label={label} className="hidden scripts:flex flex-wrap -mx-1 mt-1 max-w-[600px] [&>*]:m-1">
        {phrases.map(({ name, text }) => (
          <Button
            key={text}
            type="button"
            variant="soft"
            size="small"
            fit="tight"
            icon="plus"
            title={text}
            className="max-w-[calc(100%-8px)]"
            onClick={(event) => insert(event, text)}
          >
            <span translate="no" className="block text-left break-anywhere">
              {name}
            </span>
          </Button>
        ))}
      </div>
      <div className="flex mt-1 max-w-[600px] scripts:hidden">
        <SelectField
          name={part.phrase}
          id={part.phrase}
          label={label}
          labelHidden
          choices={phrases.map(({ name, text }) => ({ value: text, label: name }))}
          empty="Vælg sætning"
          className="flex-1 min-w-0 mr-2"
        />
        <Button value="previewLetter" icon="plus">
          Indsæt<span className="sr-only"> i {part.label}</span>
        </Button>
      </div>
    </>
  );
}

function LetterForm({ letter }: { letter: PageOf<typeof readLetterForm> }) {
  const { referralId, letterNumber, about, images, phrases } = letter;
  const { form, fields, summary } = useServerForm<Fields>(FORM, {
    labels,
    defaultValue: { diagnosis: letter.diagnosis, treatment: "", medicine: "", followUp: "", images: [] },
  });
  const [typed, setTyped] = useState(() => ({
    ...(Object.fromEntries(
      letterParts.map(({ name }) => [name, String(fields[name].initialValue ?? "")]),
    ) as unknown as WrittenLetter),
    images: [fields.images.initialValue ?? []].flat().map(String),
  }));
  const readTyped = (event: FormEvent<HTMLFormElement>) => {
    const now = new FormData(event.currentTarget);
    setTyped({
      ...(Object.fromEntries(
        letterParts.map(({ name }) => [name, String(now.get(name) ?? "")]),
      ) as unknown as WrittenLetter),
      images: now.getAll("images").map(String),
    });
  };
  const isHydrated = useHydrated();
  const back = `${paths.referral(referralId)}${useLocation().search}`;
  const chosen = images.filter(({ id }) => typed.images.includes(String(id))).map(({ fileName }) => fileName);
  return (
    <ActionForm
      operation={FORM}
      enter="nothing"
      place={FORM}
      preventScrollReset
      of={form}
      className="panel panel-body"
      onInput={readTyped}
    >
      <input type="hidden" name="to" value={back} />
      <div className="desk:grid desk:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] desk:grid-gap-6">
        <div className="stack">
          <p>
            <Verbatim>{about.patientName}</Verbatim>,{" "}
            {about.cpr === null ? (
              "CPR-nummer kan ikke læses"
            ) : (
              <Verbatim className="whitespace-nowrap">{about.cpr}</Verbatim>
            )}{" "}
            · henvisning nr. {referralId}
          </p>
          {letter.error && <Notice kind="warn">{letter.error}</Notice>}
          {letter.hasPdf && (
            <Notice kind="info">Brev {letterNumber} har en PDF. Den erstattes, og brevet sendes igen.</Notice>
          )}
          <ErrorSummary {...summary("Brevet er ikke sendt.")} />
          {letterParts.map((part) => (
            <div key={part.name}>
              <TextArea field={fields[part.name]} label={part.label} rows={part.rows} optional={"isOptional" in part} />
              <PhrasePicker part={part} phrases={phrases[part.name].map(parsePhrase)} />
            </div>
          ))}
          {letterParts.every(({ name }) => phrases[name].length === 0) && (
            <p className="meta">
              Standardsætninger: Ikke indstillet. De skrives under <Link to={paths.letterSettings}>Breve</Link>.
            </p>
          )}
          {images.length > 0 && (
            <FieldSet
              id="images"
              field={fields.images}
              label="Billeder, der følger med"
              hint={
                letter.imageCount > images.length
                  ? `De nyeste ${images.length} af ${showCount(letter.imageCount)} billeder.`
                  : undefined
              }
              optional
            >
              <div>
                {images.map(({ id, fileName }) => (
                  <Checkbox
                    key={id}
                    field={fields.images}
                    value={id}
                    className="items-center"
                    label={
                      <span className="flex items-center">
                        <img
                          src={filePaths.referralPreview(referralId, id, "thumb")}
                          alt=""
                          width={64}
                          height={44}
                          loading="lazy"
                          className="flex-none w-16 h-11 mr-3 rounded-sm bg-raised object-contain"
                        />
                        <span className="break-anywhere">{fileName}</span>
                      </span>
                    }
                  />
                ))}
              </div>
            </FieldSet>
          )}
          <div className="row">
            <IntentButton value={FORM} variant="primary" icon="send">
              Opret og send
            </IntentButton>
            {!isHydrated && (
              <Button value="previewLetter" icon="refresh">
                Vis brevet igen
              </Button>
            )}
            <ButtonLink to={`${back}#udskrivningsbrev`} variant="plain">
              Annuller
            </ButtonLink>
          </div>
        </div>
        <section aria-labelledby="brevet" className="mt-5 desk:mt-0">
          <h2 id="brevet" className="text-section">
            Sådan ser brevet ud
          </h2>
          <div className="mt-2 px-4 py-4 border border-line2 rounded-card bg-raised">
            <p className="mb-3 font-semibold">{letterSubject(referralId)}</p>
            <p className="lined" translate="no">
              {letterBody(typed, { ...about, images: chosen })}
            </p>
          </div>
        </section>
      </div>
    </ActionForm>
  );
}

export const meta = pageTitle(({ visitId }) => `Skriv udskrivningsbrev, henvisning nr. ${visitId}`);

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readLetterForm,
    { referralId: args.params.visitId, letterNumber: args.params.letterNumber },
    {
      forms: { writeLetter },
      subject: ({ referralId, letterNumber }) => ({ fields: { referralId, letterNumber } }),
    },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { writeLetter, previewLetter });

export default function WriteLetter() {
  const letter = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title={`Skriv udskrivningsbrev ${letter.letterNumber}`} />
      <LetterForm letter={letter} />
    </>
  );
}
