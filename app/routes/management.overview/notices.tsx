import { Fragment } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Button } from "~/ui/forms/button";
import { Notice } from "~/ui/feedback/notice";
import { Icon } from "~/ui/icons/icon";
import { FailureCount } from "~/components/failures/failure-count";
import { Disclosure } from "~/ui/layout/disclosure";
import { StateText } from "~/ui/lists/chip";
import { buildListQuery, statusesOf } from "~/components/overview-list/overview-list";
import type { ShownList } from "./present";

/** Queues as links, e.g. '12 afventer visitering, ældste 4 dage'; unseen urgent ones first in red. */
export function QueueLine({ list }: { list: ShownList }) {
  return (
    <>
      {list.queues.map(({ kind, label, count, oldestDays, saysAge, f, sort }) => (
        <Fragment key={label}>
          <span className={kind === "untriagedUrgent" ? "queue-urgent" : undefined}>
            {kind === "untriagedUrgent" && <Icon name="urgent" size={18} />}
            <b>{showCount(count)}</b> <a href={`${paths.overview}?${buildListQuery({ f, sort })}`}>{label}</a>
            {saysAge && oldestDays !== null && `, ældste ${age(oldestDays)}`}
          </span>{" "}
        </Fragment>
      ))}
      <FailureCount count={list.failures} />
    </>
  );
}

const age = (days: number) => (days === 0 ? "fra i dag" : days === 1 ? "1 dag" : `${showCount(days)} dage`);

export function CallUpNotice({ list, here }: { list: ShownList; here: string }) {
  if (!list.callUps) return null;
  const { days, counts } = list.callUps;
  return (
    <Notice
      kind="warn"
      title="Indkaldelser, der venter."
      action={
        <ActionForm operation="closeCallUpStats" action={here}>
          <Button name="intent" value="closeCallUpStats" size="small">
            Luk
          </Button>
        </ActionForm>
      }
    >
      {`Mere end ${days} dage siden: `}
      {counts.map(({ label, count, f }, index) => (
        <span key={label}>
          {index === counts.length - 1 ? ". Forsøgt kontaktet " : index > 0 ? ", " : ""}
          <a href={`${paths.overview}?${buildListQuery({ f, sort: list.sort })}`}>{`${label} (${showCount(count)})`}</a>
        </span>
      ))}
      .
    </Notice>
  );
}

/** What the statuses mean to referrers. */
export function StatusMeanings({ list }: { list: ShownList }) {
  return (
    <Disclosure title="Hvad betyder statusserne?" quiet className="mt-3 print:hidden">
      <dl className="max-w-[960px] [&>div]:py-1.5 [&>div+div]:border-t [&>div+div]:border-line">
        {statusesOf(list).map(({ value, label, tone, icon, meaning }) => (
          <div key={value} className="table:grid table:grid-cols-[360px_1fr]">
            <dt>
              <StateText state={{ label, tone, icon }} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}

const referrals = (count: number) => (count === 1 ? "1 henvisning" : `${showCount(count)} henvisninger`);
const numbers = (ids: number[]) => `Nr. ${ids.slice(0, 50).join(", ")}${ids.length > 50 ? " …" : ""}`;

export function MassChangeNotice({ list, here }: { list: ShownList; here: string }) {
  if (!list.massChange) return null;
  const { id, changed, statusLabel, leftOut, isUndone } = list.massChange;
  const undo = (
    <ActionForm operation="undoStatuses" action={here} preventScrollReset>
      <input type="hidden" name="massChangeId" value={id} />
      <Button name="intent" value="undoStatuses" size="small" icon="undo">
        Fortryd
      </Button>
    </ActionForm>
  );
  const restored = changed - leftOut.length;
  const title = isUndone ? "Fortrudt." : changed > 0 ? "Status er skiftet." : "Ingen status er skiftet.";
  const outcome = isUndone
    ? `${referrals(restored)} har igen den status, ${restored === 1 ? "den" : "de"} havde.`
    : changed > 0
      ? `${referrals(changed)} er nu ${statusLabel}.`
      : leftOut.length === 0 && `De valgte er allerede ${statusLabel}.`;
  return (
    <Notice
      kind={leftOut.length > 0 ? "warn" : isUndone || changed === 0 ? "info" : "success"}
      title={title}
      action={isUndone || changed === 0 ? undefined : undo}
    >
      {outcome}
      {leftOut.length > 0 && ` ${numbers(leftOut)} er ændret imens og er sprunget over.`}
    </Notice>
  );
}
