import { ConditionsCard } from "~/components/portal-text/conditions-card";
import { InfoNotice } from "~/components/portal-text/info-notice";
import { WizardIntroduction } from "~/components/portal-text/wizard-introduction";
import type { PortalTextKind } from "~/features/portal-texts/portal-text-kinds";
import { Button, buttonClass } from "~/ui/forms/button";

interface PortalTextPreviewProps {
  kind: PortalTextKind;
  body: string;
  buttonText: string;
  supportEmail: string;
  supportPhone: string;
}

/** Preview in place: while typing with JavaScript, by 'Vis' without. */
export function PortalTextPreview({ kind, body, buttonText, ...support }: PortalTextPreviewProps) {
  return (
    <section
      aria-labelledby="forhaandsvisning"
      className="px-4 py-4 bg-raised border-t border-line wide:border-t-0 wide:border-l wide:rounded-tr-panel stack-s"
    >
      <div className="row">
        <h3 id="forhaandsvisning">Sådan ser den ud</h3>
        <span className="push scripts:hidden">
          <Button name="intent" value="previewPortalText" size="small" icon="refresh">
            Vis
          </Button>
        </span>
      </div>
      {kind === "conditions" && (
        <ConditionsCard level="h4" body={body}>
          <p>
            <span className={buttonClass({ variant: "primary", size: "large" })}>{buttonText || " "}</span>
          </p>
        </ConditionsCard>
      )}
      {kind === "management" && <WizardIntroduction text={body} {...support} />}
      {kind === "infoPopup" &&
        (body === "" ? (
          <p className="meta">Der vises ingen besked.</p>
        ) : (
          <InfoNotice
            body={body}
            action={<span className={buttonClass({ size: "small" })}>{buttonText || " "}</span>}
          />
        ))}
    </section>
  );
}
