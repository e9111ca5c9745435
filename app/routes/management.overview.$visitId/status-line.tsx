import type { Undo } from "~/http/forms/action-result";
import { Form, Link, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { classNames } from "~/ui/layout/class-names";
import { useEffect, useRef } from "react";
import { UndoForm } from "~/components/undo-form/undo-form";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { paths } from "~/paths";
import { neighbours, type OverviewList, pageQuery } from "~/components/overview-list/overview-list";
import { showCount } from "~/text/numbers";
import { Button, buttonClass } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Icon } from "~/ui/icons/icon";
import { Options } from "~/ui/forms/select-field";
import { toneClass } from "~/ui/lists/tone";
import type { OpenReferral } from "./open-referral";
import { useThisPage } from "./use-edit-page";

export const STATUS_FORM = "nextStatus";

interface Told {
  flash: { tone: string; formId?: string; text: string; undo?: Undo }[];
}

/** The list that the referral was opened from; null where it stands alone. */
export const useListAround = () =>
  (useRouteLoaderData("routes/management.overview") as OverviewList | null | undefined) ?? null;

/** What a form that sets this referral's status carries, wherever it stands; the answer comes back to the referral. */
function StatusFields({ referral, here, version }: { referral: OpenReferral; here: string; version: number }) {
  return (
    <>
      <input type="hidden" name="formId" value={STATUS_FORM} />
      <input type="hidden" name="referralId" value={referral.id} />
      <input type="hidden" name="seenVersion" value={version} />
      <input type="hidden" name="to" value={here} />
    </>
  );
}

/** All statuses with GEM, where the referral stands in no row that has them. */
export function StatusSelect({ referral }: { referral: OpenReferral }) {
  const here = useThisPage(referral.id);
  const list = useListAround();
  const isBusy = useNavigation().formData?.get("formId") === STATUS_FORM;
  const version = useOpenedWith([STATUS_FORM, "undoStatuses"], referral.version);
  if (list?.rows.some(({ id }) => id === referral.id)) return null;
  const saved = referral.statusOptions.find(({ value }) => value === referral.status);
  return (
    <Form method="post" action={here} className="set-status flex-[0_1_300px]" preventScrollReset>
      <DefaultIntent value="setStatus" />
      <StatusFields referral={referral} here={here} version={version} />
      <span className={`isel ${toneClass[saved?.tone ?? "closed"]}`}>
        <Icon name={saved?.icon ?? "closed"} />
        <select
          key={version}
          name="status"
          defaultValue={referral.status}
          aria-label={`Status for nr. ${referral.id}`}
          className="input"
        >
          <Options choices={referral.statusOptions} />
        </select>
      </span>
      <Button
        name="intent"
        value="setStatus"
        size="small"
        variant="plain"
        fit="tight"
        className="flex-none"
        state={isBusy ? "working" : "ready"}
        aria-label={`GEM status for nr. ${referral.id}`}
      >
        GEM
      </Button>
    </Form>
  );
}

/** The one or two likeliest statuses, a press away. Right after a change the line says what was done, and leads to the next referral. */
export function StatusLine({ referral }: { referral: OpenReferral }) {
  const here = useThisPage(referral.id);
  const done = useRouteLoaderData<Told>("routes/management")?.flash.find(
    ({ formId }) => formId === `status-${referral.id}`,
  );
  if (!done && referral.nextSteps.length === 0) return null;
  const filled = done ? -1 : referral.nextSteps.length - 1;
  return (
    <div className="row mt-1 [&>*]:mr-3 print:hidden" aria-live="polite">
      {done && <StatusSaved referral={referral} done={done} here={here} />}
      {referral.nextSteps.length > 0 && (
        <Form method="post" action={here} className={done ? "row push" : "row"} preventScrollReset>
          <DefaultIntent value="setStatus" />
          <StatusFields referral={referral} here={here} version={referral.version} />
          <input type="hidden" name="intent" value="setStatus" />
          <span className="meta">Næste skridt</span>
          {referral.nextSteps.map((step, index) => (
            <Button
              key={step.value}
              name="status"
              value={step.value}
              size="small"
              variant={index === filled ? "primary" : "outline"}
            >
              {step.label}
            </Button>
          ))}
        </Form>
      )}
    </div>
  );
}

function StatusSaved({ referral, done, here }: { referral: OpenReferral; done: Told["flash"][number]; here: string }) {
  const isSaved = done.tone === "success";
  return (
    <>
      <p className={classNames("status-saved inline-flex items-center m-0", isSaved && "tone-ready text-tone")}>
        {isSaved && <Icon name="check" className="mr-1.5" />}
        {isSaved ? <b>{referral.statusLabel}</b> : done.text}
        {isSaved && <span className="vh"> {done.text}</span>}
      </p>
      {done.undo && <UndoForm undo={done.undo} action={here} here={here} variant="plain" fit="tight" />}
      <GoOn key={done.undo?.fields.massChangeId ?? done.text} openId={referral.id} isPrimary={isSaved} />
    </>
  );
}

/** To the next of the list that the referral was opened from, in focus, so that Enter goes on; at its end back to the list. */
function GoOn({ openId, isPrimary }: { openId: number; isPrimary: boolean }) {
  const list = useListAround();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus({ preventScroll: true }), []);
  const next = list && neighbours(list, openId).next;
  const left = list ? list.total - Number(list.rows.some(({ id, hasLeft }) => id === openId && !hasLeft)) : 0;
  return (
    <Link
      ref={link}
      id="naeste"
      to={next ?? (list ? `${paths.overview}?${pageQuery(list, list.page)}` : paths.overview)}
      rel={next ? "next" : undefined}
      className={`${buttonClass({ variant: isPrimary ? "primary" : "outline", size: "small" })} scroll-mt-[200px]`}
    >
      <span>{next ? `Næste (${showCount(left)} tilbage)` : "Til oversigten"}</span>
      <Icon name="right" size={18} className="ml-2" />
    </Link>
  );
}
