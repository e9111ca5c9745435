import { smsColumns } from "~/features/sms-threads/sms-columns";
import type { Column } from "~/lists/data-table";
import { Icon } from "~/ui/icons/icon";
import { StatusChip, Tag } from "~/ui/lists/chip";
import type { SmsRow } from "./present";
import type { SmsPageChange } from "./use-sms-page";

export function columns(openId: number | null, here: (change: SmsPageChange) => string): Column<SmsRow>[] {
  const [name, time, cancelled] = smsColumns;
  const href = ({ id }: SmsRow) => `${here({ openId: id === openId ? null : id })}#r${id}`;
  return [
    { label: "Nr.", isVerbatim: true, isPlain: true, className: "num", cell: ({ id }) => id },
    { label: "CPR-nummer", isVerbatim: true, className: "whitespace-nowrap", isPlain: true, cell: ({ cpr }) => cpr },
    {
      label: name.label,
      sort: name,
      className: "c-first table:min-w-[150px]",
      isRowHeader: true,
      cell: (row) => (
        <>
          <a href={href(row)} className="text-inherit no-underline" data-keep-scroll="">
            {row.name}
          </a>{" "}
          {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
        </>
      ),
    },
    {
      label: time.label,
      sort: time,
      cell: ({ time: at, isConfirmed }) => (
        <>
          {at}
          {isConfirmed && (
            <span className="flex items-center text-ok text-[13px] leading-4 font-semibold">
              <Icon name="done" size={16} className="mr-1" />
              Bekræftet
            </span>
          )}
        </>
      ),
    },
    { label: cancelled.label, sort: cancelled, cell: (row) => row.cancelledAt },
    {
      label: "Antal beskeder",
      head: (
        <>
          Antal <br className="phone:hidden" />
          beskeder
        </>
      ),
      className: "table:text-center",
      cell: ({ messageCount }) => messageCount,
    },
    {
      label: "Afbud",
      className: "table:text-center",
      cell: ({ isCancelled }) =>
        isCancelled && (
          <span className="text-err" title="Afbud">
            <Icon name="cancelled-time" />
            <span className="sr-only">Afbud</span>
          </span>
        ),
    },
    {
      label: "Henvis. status",
      isPlain: true,
      className: "table:max-w-[156px] table:[&_.cut]:max-w-[100px]",
      cell: ({ status, hasLeft }) => (
        <>
          <StatusChip status={status} cut />
          {hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    {
      label: "Åbn",
      isLabelHidden: true,
      className: "c-open",
      cell: (row) => (
        <a className="mark" href={href(row)} aria-expanded={row.id === openId} data-keep-scroll="">
          <Icon name={row.id === openId ? "up" : "down"} />
          <span className="sr-only">
            {row.id === openId ? "Luk" : "Åbn"} nr. {row.id}
          </span>
        </a>
      ),
    },
  ];
}
