import { getFormProps } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { SavedNow } from "~/components/saved-now/saved-now";
import { ActionForm } from "~/http/forms/action-form";
import { type TextVersion, TextVersions, versionTitle, Words } from "~/components/text-versions/text-versions";
import { type PortalTextKind, portalTextKinds, portalTexts } from "~/features/portal-texts/portal-text-kinds";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { explanations } from "./present";
import { PortalTextPreview } from "./portal-text-preview";

export const FORM_ID = "portalText";

const labels = { body: "Tekst", buttonText: "Knap" };

interface PortalTextFormProps {
  text: {
    kind: PortalTextKind;
    body: string;
    buttonText: string;
    shownVersion: number;
    newestVersion: number;
    versions: TextVersion[];
    supportEmail: string;
    supportPhone: string;
  };
}

export function PortalTextForm({ text }: PortalTextFormProps) {
  const { kind, versions, shownVersion, newestVersion, supportEmail, supportPhone } = text;
  const { form, fields, summary } = useServerForm<typeof labels>(FORM_ID, {
    intent: "savePortalText",
    labels,
    defaultValue: { body: text.body, buttonText: text.buttonText },
  });
  const isHydrated = useHydrated();
  const state = useButtonState("savePortalText", FORM_ID);
  const [typed, setTyped] = useState({
    body: String(fields.body.initialValue ?? ""),
    buttonText: String(fields.buttonText.initialValue ?? ""),
  });
  const readTyped = (event: FormEvent<HTMLFormElement>) => {
    const now = new FormData(event.currentTarget);
    setTyped({ body: String(now.get("body") ?? ""), buttonText: String(now.get("buttonText") ?? "") });
  };
  const isChanged = typed.body !== text.body || typed.buttonText !== text.buttonText || shownVersion !== newestVersion;
  const { where, empty, saving } = explanations[kind];
  const newest = versions[0];
  return (
    <ActionForm
      operation="savePortalText"
      place={FORM_ID}
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
      className="panel"
      onInput={readTyped}
    >
      <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="px-4 py-4 desk:px-5 stack-s">
          <div className="row">
            <h2 className="sr-only">{portalTexts[kind].title}</h2>
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
          {newest && (
            <SavedNow formId={FORM_ID} button={`Gem som version ${newestVersion + 1}`}>
              <p className="font-semibold">{versionTitle(newest)}</p>
              <Words {...newest} />
            </SavedNow>
          )}
          <TextArea
            field={fields.body}
            label={labels.body}
            rows={kind === "conditions" ? 18 : 6}
            hint={["En tom linje begynder et nyt afsnit.", empty].filter(Boolean).join(" ")}
          />
          {portalTexts[kind].standardButton !== "" && (
            <TextField field={fields.buttonText} label={labels.buttonText} width={20} autoComplete="off" />
          )}
          <TextVersions versions={versions} />
        </div>
        <PortalTextPreview kind={kind} {...typed} supportEmail={supportEmail} supportPhone={supportPhone} />
      </div>
      <div className="px-4 py-3 border-t border-line desk:px-5 stack-s">
        {saving && <Notice kind="warn">{saving}</Notice>}
        <div className="row">
          <Button
            name="intent"
            value="savePortalText"
            variant={isChanged || !isHydrated ? "primary" : "outline"}
            state={state}
          >
            Gem som version {newestVersion + 1}
          </Button>
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
