import type { FormEvent } from "react";
import { Icon } from "~/ui/icons/icon";
import { toneClass } from "~/ui/lists/tone";
import { StatusForm } from "~/components/status-form/status-form";
import { paths } from "~/paths";
import type { RowsShown } from "./columns";
import type { ShownRow } from "./present";
import type { StatusOption } from "~/features/referrals/model/status";

export function RowStatus({ row, options }: { row: ShownRow; options: StatusOption[] }) {
  const option = options.find(({ value }) => value === row.status);
  return (
    <span className="flex flex-wrap items-center min-w-0">
      <span className={`chip max-w-full ${toneClass[option?.tone ?? "closed"]}`} title={option?.label}>
        <Icon name={option?.icon ?? "closed"} size={18} />
        <span className="truncate">{option?.label}</span>
      </span>{" "}
      {row.statusSince && <span className="meta ml-1 whitespace-nowrap">siden {row.statusSince}</span>}
    </span>
  );
}

interface RowStatusFormProps {
  row: ShownRow;
  options: StatusOption[];
  submit(event: FormEvent<HTMLFormElement>): void;
  shown: RowsShown;
}

export function RowStatusForm({ row, options, submit, shown: { here, openId, outcome, ticket } }: RowStatusFormProps) {
  return (
    <div className="min-w-0 flex-auto">
      <StatusForm
        referral={row}
        options={options}
        action={here}
        submit={submit}
        outcome={outcome}
        ticket={ticket}
        item={`referralId:${row.id}`}
      >
        {openId !== null && (
          <input type="hidden" name="to" value={here.replace(paths.overview, paths.referral(openId))} />
        )}
      </StatusForm>
    </div>
  );
}
