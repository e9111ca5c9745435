import { Form, Link, useRouteLoaderData } from "@remix-run/react";
import { usePortalForm } from "~/http/use-portal-form";
import { neighbours, type OverviewList } from "~/routes/management.overview/overview-list";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Chip, StatusChip, Tag } from "~/ui/chip";
import { Notice } from "~/ui/notice";
import { Tabs } from "~/ui/tabs";
import { useButtonState } from "~/http/use-button-state";
import type { OpenReferral } from "./open-referral";
import { useEditPage } from "./use-edit-page";

const STATUS_FORM = "nextStatus";

/** The summary: who, how urgent, from where, who changed it; and the way to each section. */
export function ReferralHead({ referral }: { referral: OpenReferral }) {
  const { patient, statusOptions } = referral;
  const refused = [...usePortalForm(STATUS_FORM).formErrors, ...usePortalForm("sendStatus").formErrors];
  const status = statusOptions.find((option) => option.value === referral.status);
  return (
    <header className="open-head">
      <div className="row">
        <h2>
          Nr. {referral.id} · {patient.name}
        </h2>
        <span className="num">{patient.cpr}</span>
        <StatusChip status={{ label: referral.statusLabel, tone: status?.tone ?? "closed", icon: status?.icon ?? "closed" }} />
        {referral.isUrgent && (
          <Chip tone="urgent" icon="urgent">
            Haste henvisning
          </Chip>
        )}
        {referral.isTest && <Tag title="Testhenvisning">TEST</Tag>}
        <Neighbours openId={referral.id} />
      </div>
      <div className="head-line">
        <p className="meta">
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
        <div className="row acts">
          <a className="btn btn-plain btn-s" href={paths.referralPdf(referral.id)} target="_blank" rel="noreferrer">
            Hent PDF
          </a>
          {referral.isStaff && (
            <>
              <a className="btn btn-plain btn-s" href={`${paths.referralPdf(referral.id)}?regenerate=true`} target="_blank" rel="noreferrer">
                Lav PDF igen
              </a>
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
      <NextSteps referral={referral} />
      <Tabs
        label="Afsnit"
        tabs={[
          { to: "#patient", label: "Patient" },
          { to: "#henvisning", label: "Henvisning" },
          { to: "#plan", label: "Plan" },
          ...(referral.files.length > 0 ? [{ to: "#filer", label: "Filer", count: referral.files.length }] : []),
          { to: "#billeder", label: "Billeder", count: referral.images.length },
          { to: "#beskeder", label: "Beskeder", ...(referral.messages.newCount > 0 ? { count: referral.messages.newCount } : {}) },
          { to: "#indkaldelse", label: "Indkaldelse", ...countOf(referral.sections.callUps) },
          { to: "#udskrivningsbrev", label: "Udskrivningsbrev", ...countOf(referral.sections.letters) },
          ...(referral.isStaff ? [{ to: "#log", label: "Log", count: referral.log.length }] : []),
        ]}
      />
    </header>
  );
}

const countOf = (lines: unknown[]) => (lines.length > 0 ? { count: lines.length } : {});

/** The one or two likeliest statuses, a press away; the row's select keeps all (look.md, rule 9). */
function NextSteps({ referral }: { referral: OpenReferral }) {
  const { back } = useEditPage(referral.id, "");
  if (referral.nextSteps.length === 0) return null;
  return (
    <Form method="post" action={back} className="row next-steps" preventScrollReset>
      <input type="hidden" name="formId" value={STATUS_FORM} />
      <input type="hidden" name="referralId" value={referral.id} />
      <input type="hidden" name="seenVersion" value={referral.version} />
      <input type="hidden" name="intent" value="setStatus" />
      <input type="hidden" name="to" value={back} />
      <span className="meta">Næste skridt</span>
      {referral.nextSteps.map((step, index) => (
        <Button key={step.value} name="status" value={step.value} size="small" variant={index === referral.nextSteps.length - 1 ? "primary" : "outline"}>
          {step.label}
        </Button>
      ))}
    </Form>
  );
}

/** Mails the referrer the present status (specification 1 §7). */
function SendStatus({ referralId }: { referralId: number }) {
  const { back } = useEditPage(referralId, "");
  return (
    <Form method="post" action={back} preventScrollReset>
      <input type="hidden" name="referralId" value={referralId} />
      <Button name="intent" value="sendStatus" variant="plain" size="small" state={useButtonState("sendStatus")}>
        Send status til henviser
      </Button>
    </Form>
  );
}

/** Walks the list that the referral was opened from, in its filter and order. */
function Neighbours({ openId }: { openId: number }) {
  const list = useRouteLoaderData<OverviewList>("routes/management.overview");
  if (!list) return null;
  const { previous, next } = neighbours(list as OverviewList, openId);
  return (
    <nav className="row push" aria-label="Gå i listen">
      {previous && (
        <Link className="btn btn-plain btn-s" to={previous} rel="prev">
          Forrige
        </Link>
      )}
      {next && (
        <Link className="btn btn-outline btn-s" to={next} rel="next">
          Næste
        </Link>
      )}
    </nav>
  );
}
