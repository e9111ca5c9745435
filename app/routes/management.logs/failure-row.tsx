import { getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { useBusy } from "~/http/forms/use-button-state";
import { useActionResult } from "~/http/forms/use-action-result";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, type ButtonVariant, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { classNames } from "~/ui/layout/class-names";
import type { ShownFailure } from "./failures-page";

const line = "flex flex-wrap items-center table:justify-end -mx-1 [&>*]:m-1 empty:hidden";

interface Props {
  failure: ShownFailure;
  here: string;
}

const grid =
  "px-4 py-3 [&>*+*]:mt-2 table:[&>*+*]:mt-0 table:grid table:grid-cols-[180px_210px_minmax(0,1fr)_320px] desk:grid-cols-[190px_220px_minmax(0,1fr)_430px] table:[grid-gap:4px_20px]";

export function FailureRow({ failure, here }: Props) {
  const { id, cause, hasReturnedText, isUnknown, can, handled } = failure;
  const answer = useActionResult(`failure-${id}`);
  const errors = answer?.submission?.error?.[""] ?? [];
  const wanted = answer?.refusal === "stillAwaiting" ? answer.submission?.initialValue?.channel : undefined;
  return (
    <li
      id={`f${id}`}
      className={classNames(
        grid,
        isUnknown && !handled && "border-l-[3px] !border-l-err !pl-[13px]",
        handled && "bg-ground text-ink2",
      )}
    >
      <Whom failure={failure} />
      <div className="flex items-start">
        <Icon name={failure.icon} size={18} className="mr-2 mt-0.5 text-ink2" />
        <div>
          <div>{failure.what}</div>
          <div className="meta">{failure.how}</div>
        </div>
      </div>
      {handled ? (
        <div className="flex items-start">
          <Icon name="done" size={18} className="flex-none mr-2 mt-0.5 text-ok" />
          <div>
            {handled.text}
            {handled.note && <div className="meta">{handled.note}</div>}
          </div>
        </div>
      ) : (
        <div>
          <b className={isUnknown ? "text-err" : "text-warn"}>{cause.title}</b>
          <div>{cause.text}</div>
          {hasReturnedText && (
            <a href={`${paths.logMessage(id)}${here.slice(here.indexOf("?"))}`}>
              Læs, hvad der kom retur<span className="sr-only">, {failure.name}</span>
            </a>
          )}
          {cause.answer && <div className="meta break-anywhere">Svar: {cause.answer}</div>}
          {can?.correct && <Correct failure={failure} correct={can.correct} here={here} />}
          {errors.length > 0 && (
            <Notice
              kind={wanted ? "warn" : "error"}
              live
              className="mt-2"
              action={
                typeof wanted === "string" && (
                  <Action
                    failure={failure}
                    here={here}
                    intent="resendFailure"
                    fields={{ channel: wanted, mayOverlap: "on" }}
                  >
                    Send også
                  </Action>
                )
              }
            >
              {errors.join(" ")}
            </Notice>
          )}
        </div>
      )}
      {can && <Actions failure={failure} can={can} here={here} />}
      {handled?.canUndo && (
        <div className="table:text-right">
          <Action failure={failure} here={here} intent="reopenFailure" icon="undo" variant="plain">
            Fortryd
          </Action>
        </div>
      )}
    </li>
  );
}

function Whom({ failure: { name, cpr, referralId, to } }: { failure: ShownFailure }) {
  return (
    <div>
      <b>{name}</b>
      <div className="meta">
        {cpr}
        {cpr !== null && referralId !== null && " · "}
        {referralId !== null && <a href={paths.referral(referralId)}>nr. {referralId}</a>}
        {to !== null && <div>{to}</div>}
      </div>
    </div>
  );
}

function Actions({ failure, can, here }: Props & { can: NonNullable<ShownFailure["can"]> }) {
  const send = (channel: string, label: string, variant: ButtonVariant) => (
    <Action key={channel} failure={failure} here={here} intent="resendFailure" fields={{ channel }} variant={variant}>
      {label}
    </Action>
  );
  return (
    <div className="table:text-right">
      <div className={line}>
        {can.arrived && (
          <Action failure={failure} here={here} intent="settleAsArrived">
            Den er kommet frem
          </Action>
        )}
        {can.again !== null && send(can.again, can.againLabel, can.arrived ? "soft" : "outline")}
        {can.none && <span className="meta">{can.none}</span>}
        {can.instead.length > 0 && <span className="meta">{can.again === null ? "Send i stedet som" : "eller"}</span>}
        {can.instead.map(({ channel, label }, index) =>
          send(channel, label, can.again === null && index === 0 ? "outline" : "soft"),
        )}
      </div>
      {can.handle && (
        <Action failure={failure} here={here} intent="markFailureHandled" icon="done" variant="plain">
          <span className="sr-only">Markér som </span>Håndteret
        </Action>
      )}
    </div>
  );
}

interface ActionProps extends Props {
  intent: string;
  fields?: Record<string, string>;
  icon?: IconName;
  variant?: ButtonVariant;
  children: ReactNode;
}

function Action({ failure: { id, name }, here, intent, fields = {}, icon, variant, children }: ActionProps) {
  const isBusy = useBusy(intent) === "working";
  return (
    <ActionForm
      operation={intent}
      place={`failure-${id}`}
      item={`messageId:${id}`}
      showsErrors
      action={here}
      preventScrollReset
      className="inline-block"
    >
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button
        name="intent"
        value={intent}
        size="small"
        {...(variant ? { variant } : {})}
        {...(icon ? { icon } : {})}
        aria-disabled={isBusy || undefined}
      >
        {children}
        <span className="sr-only">
          , {name}, {id}
        </span>
      </Button>
    </ActionForm>
  );
}

type Correctable = NonNullable<NonNullable<ShownFailure["can"]>["correct"]>;

function Correct({ failure: { id, referralId, name }, correct, here }: Props & { correct: Correctable }) {
  const formId = `correct-${id}`;
  const { form, fields, summary, wasRefused } = useServerForm<Record<string, string>>(formId, {
    intent: "correctAndResend",
    labels: { [correct.field]: correct.label },
    defaultValue: { [correct.field]: correct.value },
  });
  return (
    <details open={wasRefused || undefined}>
      <summary className={`${buttonClass({ variant: "plain", size: "small" })} no-marker -ml-4`}>
        <Icon name="edit" size={18} className="mr-2" />
        {correct.action}
        <span className="sr-only">, {name}</span>
      </summary>
      <ActionForm
        operation="correctAndResend"
        place={formId}
        item={`messageId:${id}`}
        showsErrors
        action={here}
        preventScrollReset
        {...getFormProps(form)}
        className="stack-s mt-1 p-3 border border-line rounded-panel bg-ground"
      >
        <ErrorSummary {...summary("Det kunne ikke gemmes.")} />
        <div className="fields-row">
          <TextField
            field={fields[correct.field]!}
            label={correct.label}
            type={correct.field === "patientEmail" ? "email" : "tel"}
            autoComplete="off"
          />
          <Button name="intent" value="correctAndResend" variant="primary" size="compact">
            Gem og send igen
          </Button>
        </div>
        <p className="meta">Rettes på henvisning nr. {referralId}</p>
      </ActionForm>
    </details>
  );
}
