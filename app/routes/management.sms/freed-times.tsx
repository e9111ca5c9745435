import type { ReactNode } from "react";
import { ActionForm, IntentButton } from "~/http/forms/action-form";
import { paths } from "~/paths";
import type { ShownFreedTime } from "./present-freed-times";
import { Disclosure } from "~/ui/layout/disclosure";

interface WithFreedTimesProps {
  times: ShownFreedTime[];
  action: string;
  here: string;
  children: ReactNode;
}

const TITLE = "Ledige tider";

/** Cancelled future times with waiting patients: beside the list, or folded above it. Hidden without any. */
export function WithFreedTimes({ times, action, here, children }: WithFreedTimesProps) {
  if (times.length === 0) return children;
  const title = (
    <>
      {TITLE} <span className="chip bg-tint">{times.length}</span>
    </>
  );
  const list = (place: string) =>
    times.map((time) => <Time key={time.id} time={time} action={action} here={here} place={place} />);
  return (
    <>
      <Disclosure title={title} className="panel px-4 mt-3 mb-3 print:hidden wide:hidden">
        {list("fold")}
      </Disclosure>
      <div className="wide:grid print:block wide:grid-cols-[minmax(0,1fr)_272px] wide:grid-gap-4 wide:items-start">
        <div className="min-w-0">{children}</div>
        <aside className="panel panel-body mt-3 hidden wide:block print:hidden" aria-label={TITLE}>
          <h2>{title}</h2>
          {list("panel")}
        </aside>
      </div>
    </>
  );
}

interface TimeProps {
  time: ShownFreedTime;
  action: string;
  here: string;
  place: string;
}

function Time({ time, ...form }: TimeProps) {
  const { id, when, what, how, offer, waiting, refused, more, canBeOffered } = time;
  return (
    <section
      className="mt-3 pt-3 border-0 border-t border-solid border-line first-of-type:border-t-0"
      aria-label={when}
    >
      <b className="block">{when}</b>
      <span className="meta block">{what}</span>
      {how && <span className="meta block">{how}</span>}
      {offer ? (
        <div className="mt-2">
          <p className="m-0">{offer.text}</p>
          <Act intent="withdrawOffer" {...form} id={id} variant="plain">
            Tag tilbuddet tilbage
          </Act>
        </div>
      ) : (
        <ul className="list-none m-0 mt-2 p-0">
          {waiting.map(({ referralId, name, waits }, index) => (
            <li
              key={referralId}
              className="flex items-center justify-between py-1 border-0 border-t border-solid border-line"
            >
              <span className="min-w-0 mr-2">
                <a href={paths.referral(referralId)}>{name}</a>
                <span className="meta block">{waits}</span>
              </span>
              {canBeOffered && (
                <Act intent="offerTime" {...form} id={id} referralId={referralId} isQuiet={index > 0}>
                  Tilbyd tiden
                </Act>
              )}
            </li>
          ))}
          {waiting.length === 0 && <li className="meta">Ingen venter på den behandling.</li>}
          {more > 0 && <li className="meta">og {more} til</li>}
          {!canBeOffered && <li className="meta">For kort tid til at tilbyde den pr. SMS: ring i stedet.</li>}
        </ul>
      )}
      {refused.map((text) => (
        <p key={text} className="meta m-0 mt-1">
          {text}
        </p>
      ))}
      {!offer && (
        <Act intent="removeFreedTime" {...form} id={id} variant="plain">
          Fjern tiden fra listen
        </Act>
      )}
    </section>
  );
}

interface ActProps {
  intent: "offerTime" | "withdrawOffer" | "removeFreedTime";
  place: string;
  id: number;
  referralId?: number;
  action: string;
  here: string;
  variant?: "plain";
  isQuiet?: boolean;
  children: string;
}

function Act({ intent, place, id, referralId, action, here, variant, isQuiet, children }: ActProps) {
  const formId = `${intent}-${place}-${id}${referralId === undefined ? "" : `-${referralId}`}`;
  return (
    <ActionForm
      operation={intent}
      place={formId}
      item={referralId === undefined ? `freedTimeId:${id}` : `referralId:${referralId}`}
      action={action}
      preventScrollReset
      className="flex-none"
    >
      <input type="hidden" name="to" value={here} />
      {referralId !== undefined && <input type="hidden" name="freedTimeId" value={id} />}
      <IntentButton
        value={intent}
        size="small"
        variant={variant ?? "outline"}
        {...(variant ? { fit: "tight", className: "-ml-2" } : {})}
        formId={formId}
        {...(isQuiet ? { className: "border-line2" } : {})}
      >
        {children}
      </IntentButton>
    </ActionForm>
  );
}
