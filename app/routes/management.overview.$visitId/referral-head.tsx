import { Form, Link, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { neighbours } from "~/components/overview-list/overview-list";
import { useFormErrors } from "~/http/forms/use-form-answer";
import { guard } from "~/http/forms/unsaved";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/forms/button";
import { Chip, StatusChip, Tag } from "~/ui/lists/chip";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Notice } from "~/ui/feedback/notice";
import { Tabs } from "~/ui/layout/tabs";
import { useButtonState } from "~/http/forms/use-button-state";
import type { OpenReferral } from "./open-referral";
import { STATUS_FORM, StatusLine, StatusSelect, useListAround } from "./status-line";
import { useThisPage } from "./use-edit-page";

const quietLink = buttonClass({ variant: "plain", size: "small", fit: "tight" });

/** The summary: who, how urgent, from where, who changed it; and the way to each section. */
export function ReferralHead({ referral }: { referral: OpenReferral }) {
  const { patient, statusOptions } = referral;
  const refused = [...useFormErrors(STATUS_FORM), ...useFormErrors("sendStatus")];
  useEffect(() => guard(STATUS_FORM, "query"), []);
  const status = statusOptions.find((option) => option.value === referral.status);
  return (
    <header className="pt-2 desk:px-6">
      <div className="row">
        <h2 className="min-w-0 break-anywhere">
          Nr. {referral.id} · {patient.name}
        </h2>
        <span className="num">{patient.cpr}</span>
        {referral.mayEdit ? (
          <StatusSelect referral={referral} />
        ) : (
          <StatusChip
            status={{ label: referral.statusLabel, tone: status?.tone ?? "closed", icon: status?.icon ?? "closed" }}
          />
        )}
        {referral.isUrgent && (
          <Chip tone="urgent" icon="urgent">
            Haste henvisning
          </Chip>
        )}
        {referral.isTest && <Tag title="Testhenvisning">TEST</Tag>}
        <Neighbours key={referral.id} openId={referral.id} />
      </div>
      <div className="flex flex-wrap items-center">
        <p className="meta flex-auto my-1 mr-3">
          {referral.ediId && <>EDI {referral.ediId} · </>}Oprettet {referral.createdAt}
          {referral.creatorName && (
            <>
              {" "}
              af <b>{referral.creatorName}</b>
            </>
          )}
          {referral.modifierName && (
            <>
              {" "}
              · Ændret af <b>{referral.modifierName}</b> {referral.modifiedAt}
            </>
          )}
        </p>
        <div className="row my-0 -mx-2">
          <a className={quietLink} href={paths.referralPdf(referral.id)} target="_blank" rel="noreferrer">
            Hent PDF
          </a>{" "}
          {referral.mayEdit && (
            <>
              <a
                className={quietLink}
                href={`${paths.referralPdf(referral.id)}?regenerate=true`}
                target="_blank"
                rel="noreferrer"
              >
                Dan ny PDF
              </a>{" "}
              <SendStatus referralId={referral.id} />
            </>
          )}
        </div>
      </div>
      {refused.length > 0 && (
        <Notice kind="error" live>
          {refused.join(" ")}
        </Notice>
      )}
      {referral.mayEdit && <StatusLine referral={referral} />}
      <div className="mt-2 print:mt-0">
        <Tabs
          label="Afsnit"
          tabs={[
            { to: "#patient", label: "Patient" },
            { to: "#henvisning", label: "Henvisning" },
            { to: "#plan", label: "Plan" },
            ...(referral.files.length > 0 ? [{ to: "#filer", label: "Filer", count: referral.files.length }] : []),
            { to: "#billeder", label: "Billeder", count: referral.images.length },
            {
              to: "#beskeder",
              label: "Beskeder",
              ...(referral.messages.newCount > 0 ? { count: referral.messages.newCount } : {}),
            },
            { to: "#indkaldelse", label: "Indkaldelse", ...countOf(referral.sections.callUps) },
            { to: "#udskrivningsbrev", label: "Udskrivningsbrev", ...countOf(referral.letters.letters) },
            ...(referral.mayEdit ? [{ to: "#log", label: "Log", count: referral.log.length }] : []),
          ]}
        />
      </div>
    </header>
  );
}

const countOf = (lines: unknown[]) => (lines.length > 0 ? { count: lines.length } : {});

/** Mails the referrer the present status. */
function SendStatus({ referralId }: { referralId: number }) {
  return (
    <Form method="post" action={useThisPage(referralId)} preventScrollReset>
      <DefaultIntent value="sendStatus" />
      <input type="hidden" name="referralId" value={referralId} />
      <Button
        name="intent"
        value="sendStatus"
        variant="plain"
        size="small"
        fit="tight"
        state={useButtonState("sendStatus")}
      >
        Send status til henviser
      </Button>
    </Form>
  );
}

/** Steps along the list that the referral was opened from, in its filter and order. The focus stays on the link that was pressed. */
function Neighbours({ openId }: { openId: number }) {
  const list = useListAround();
  const pressed = (useLocation().state as { pressed?: string } | null)?.pressed;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (pressed && document.activeElement === document.body)
      nav.current?.querySelector<HTMLElement>(`[rel="${pressed}"]`)?.focus({ preventScroll: true });
  }, [pressed]);
  if (!list) return null;
  const { previous, next } = neighbours(list, openId);
  return (
    <nav ref={nav} className="row push" aria-label="Gå i listen">
      {previous && (
        <Link className={quietLink} to={previous} rel="prev" state={{ pressed: "prev" }}>
          Forrige
        </Link>
      )}
      {next && (
        <Link className={buttonClass({ size: "small" })} to={next} rel="next" state={{ pressed: "next" }}>
          Næste
        </Link>
      )}
    </nav>
  );
}
