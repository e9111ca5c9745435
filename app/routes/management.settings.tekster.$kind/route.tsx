import { Link, useLoaderData } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ConditionsCard, InfoNotice, WizardIntroduction } from "~/components/portal-text/portal-text";
import { UrgentNotice } from "~/components/portal-text/urgent-notice";
import {
  NewestText,
  type TextVersion,
  TextVersions,
  typedIn,
  versionTitle,
} from "~/components/text-versions/text-versions";
import type { Opening } from "~/features/opening-hours/opening-hours";
import { type PortalTextKind, portalTextKinds, portalTexts } from "~/features/portal-texts/portal-text-kinds";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea, TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { previewPortalText, readPortalText, savePortalText } from "~/features/portal-texts/operations.server";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";

interface PreviewProps {
  body: string;
  buttonText: string;
  supportEmail: string;
  supportPhone: string;
  letterheadPhone: string;
  opening: Opening | null;
}

/** Draws a text as its reader sees it; a kind without an entry is shown as plain text. */
const previews: Readonly<Partial<Record<PortalTextKind, (props: PreviewProps) => ReactNode>>> = {
  conditions: ({ body, buttonText }) => (
    <ConditionsCard level="h4" body={body}>
      <p>
        <span className={buttonClass({ variant: "primary", size: "large" })}>{buttonText || " "}</span>
      </p>
    </ConditionsCard>
  ),
  management: ({ body, supportEmail, supportPhone }) => (
    <WizardIntroduction text={body} supportEmail={supportEmail} supportPhone={supportPhone} />
  ),
  urgent: ({ body, letterheadPhone, opening }) => (
    <UrgentNotice advice={{ text: body, phone: letterheadPhone, opening }} />
  ),
  infoPopup: ({ body, buttonText }) =>
    body === "" ? (
      <p className="meta">Der vises ingen besked.</p>
    ) : (
      <InfoNotice body={body} action={<span className={buttonClass({ size: "small" })}>{buttonText || " "}</span>} />
    ),
};

const asItStands = ({ body }: PreviewProps) => <p className="lined">{body}</p>;

/** Preview in place: while typing with JavaScript, by 'Vis' without. */
function PortalTextPreview({ kind, ...props }: PreviewProps & { kind: PortalTextKind }) {
  return (
    <section
      aria-labelledby="forhaandsvisning"
      className="px-4 py-4 bg-raised border-t border-line wide:border-t-0 wide:border-l wide:rounded-tr-panel stack-s"
    >
      <div className="row">
        <h3 id="forhaandsvisning">Sådan ser den ud</h3>
        <span className="push scripts:hidden">
          <Button value="previewPortalText" size="small" icon="refresh">
            Vis
          </Button>
        </span>
      </div>
      {(previews[kind] ?? asItStands)(props)}
    </section>
  );
}

const FORM_ID = "portalText";

const labels = { body: "Tekst", buttonText: "Knap" };

interface PortalTextFormProps {
  text: {
    kind: PortalTextKind;
    body: string;
    buttonText: string;
    stored: Record<keyof typeof labels, string>;
    shownVersion: number;
    newestVersion: number;
    versions: TextVersion[];
    supportEmail: string;
    supportPhone: string;
    letterheadPhone: string;
    opening: Opening | null;
  };
}

function PortalTextForm({ text }: PortalTextFormProps) {
  const { kind, versions, stored, shownVersion, newestVersion, ...contacts } = text;
  const { form, fields, opened, summary } = useServerForm<typeof labels>(FORM_ID, {
    intent: "savePortalText",
    labels,
    defaultValue: { body: text.body, buttonText: text.buttonText },
    stored,
  });
  const isHydrated = useHydrated();
  const [typed, setTyped] = useState({
    body: String(fields.body.initialValue ?? ""),
    buttonText: String(fields.buttonText.initialValue ?? ""),
  });
  const element = useRef<HTMLFormElement>(null);
  // Fields that nobody touched follow the stored text.
  useEffect(() => {
    if (element.current) setTyped(typedIn(element.current, stored));
  }, [stored]);
  const isChanged = typed.body !== text.body || typed.buttonText !== text.buttonText || shownVersion !== newestVersion;
  const { title, standardButton, where, empty, saving, isLong } = portalTexts[kind];
  const newest = versions[0];
  return (
    <ActionForm
      operation="savePortalText"
      place={FORM_ID}
      preventScrollReset
      of={form}
      opened={opened}
      ref={element}
      className="panel"
      onInput={(event) => setTyped(typedIn(event.currentTarget, stored))}
    >
      <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="px-4 py-4 desk:px-5 stack-s">
          <div className="row">
            <h2 className="sr-only">{title}</h2>
            <Kinds chosen={kind} />
            <span className="meta push">{newest ? versionTitle(newest) : "Ikke skrevet endnu"}</span>
          </div>
          <p className="meta">{where}</p>
          {shownVersion !== newestVersion && (
            <Notice kind="info" action={<Link to={paths.portalText(kind)}>Tilbage til den, der gælder</Link>}>
              I feltet står version {shownVersion}. Den gælder først, når du gemmer.
            </Notice>
          )}
          <ErrorSummary {...summary("Teksten er ikke gemt.")} />
          {newest && <NewestText formId={FORM_ID} version={newest} />}
          <TextArea
            field={fields.body}
            label={labels.body}
            rows={isLong ? 18 : 6}
            hint={["En tom linje begynder et nyt afsnit.", empty].filter(Boolean).join(" ")}
          />
          {standardButton !== "" && (
            <TextField field={fields.buttonText} label={labels.buttonText} width={20} autoComplete="off" />
          )}
          <TextVersions versions={versions} />
        </div>
        <PortalTextPreview {...contacts} kind={kind} {...typed} />
      </div>
      <div className="px-4 py-3 border-t border-line desk:px-5 stack-s">
        {saving && <Notice kind="warn">{saving}</Notice>}
        <div className="row">
          <IntentButton
            value="savePortalText"
            variant={isChanged || !isHydrated ? "primary" : "outline"}
            formId={FORM_ID}
          >
            Gem som version {newestVersion + 1}
          </IntentButton>
          <button
            type="reset"
            data-discards=""
            className={buttonClass({ variant: "plain" })}
            onClick={() => setTyped({ body: text.body, buttonText: text.buttonText })}
          >
            Fortryd ændringer
          </button>
        </div>
      </div>
    </ActionForm>
  );
}

function Kinds({ chosen }: { chosen: PortalTextKind }) {
  return (
    <nav aria-label="Tekster" className="row">
      {portalTextKinds.map((kind) => (
        <Link
          key={kind}
          to={paths.portalText(kind)}
          aria-current={kind === chosen ? "page" : undefined}
          className="inline-flex items-center min-h-11 table:min-h-9 px-3 border border-line2 rounded text-ink no-underline current:bg-tint current:border-control current:font-semibold"
        >
          {portalTexts[kind].title}
        </Link>
      ))}
    </nav>
  );
}

export const meta = pageTitle((params) => {
  const title = portalTexts[params.kind as PortalTextKind]?.title;
  return title ? `Tekster: ${title}` : "Tekster";
});

export const handle = { pageForm: () => FORM_ID } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const from = new URL(args.request.url).searchParams.get("fra");
  return runPage(
    args,
    readPortalText,
    { ...args.params, from: from ?? undefined },
    {
      forms: { savePortalText },
      subject: ({ kind }) => ({ fields: { kind } }),
    },
  );
};

export const action = (args: ActionFunctionArgs) => runCommand(args, { savePortalText, previewPortalText });

export default function PortalText() {
  const text = useLoaderData<typeof loader>();
  const { kind, shownVersion, newestVersion } = text;
  return <PortalTextForm key={`${kind} ${shownVersion === newestVersion ? "newest" : shownVersion}`} text={text} />;
}
