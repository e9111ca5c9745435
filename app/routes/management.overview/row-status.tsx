import { Form, useNavigation } from "@remix-run/react";
import { useRef, useState } from "react";
import type { ListRow } from "~/features/referrals/list/list-row";
import { paths } from "~/paths";
import { Button, type ButtonState } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Icon } from "~/ui/icons/icon";
import { IconSelect, Options } from "~/ui/forms/select-field";
import { toneClass } from "~/ui/lists/tone";
import { useHydrationHandover } from "~/ui/hooks/use-hydration-handover";
import type { RowsShown } from "./columns";
import { type OverviewList, statusesOf } from "~/components/overview-list/overview-list";

/** The status of a row, for who may not set it. */
export function RowStatus({ row, list }: { row: ListRow; list: OverviewList }) {
  const option = statusesOf(list).find(({ value }) => value === row.status);
  return (
    <span className={`chip ${toneClass[option?.tone ?? "closed"]}`} title={option?.label}>
      <Icon name={option?.icon ?? "closed"} size={18} />
      <span className="cut">{option?.label}</span>
    </span>
  );
}

/** Characters that a status select has room for on a desk. */
const LONG = 22;

/**
 * The status select, with the saved status as its icon, and GEM. A choice that was refused stays chosen. A row whose status is being chosen
 * keeps the version that it was chosen at, whatever the list says by now: it is GEM that brings the two together (docs/decisions/0053).
 */
export function RowStatusForm({
  row,
  shown: { list, here, openId, outcome: last },
}: {
  row: ListRow;
  shown: RowsShown;
}) {
  const { formData } = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState<{ version: number; saved: number; chosen: number } | null>(null);
  const outcome = last?.rowId === row.id ? last : null;
  const saved = pending?.saved ?? row.status;
  const version = pending?.version ?? row.version;
  const choose = (chosen: number) => setPending({ version, saved, chosen });
  useHydrationHandover(form, (standing) => {
    const chosen = Number(standing.get("status"));
    if (chosen !== (outcome?.chosen ?? saved)) choose(chosen);
  });
  const statuses = statusesOf(list);
  const option = statuses.find(({ value }) => value === saved);
  const isSending = formData?.get("intent") === "setStatus" && formData.get("referralId") === String(row.id);
  const chosenState = pending && (pending.chosen === pending.saved ? "ready" : "chosen");
  return (
    <Form
      ref={form}
      method="post"
      action={here}
      className="set-status"
      preventScrollReset
      onSubmit={() => setPending(null)}
    >
      <DefaultIntent value="setStatus" />
      <input type="hidden" name="referralId" value={row.id} />
      <input type="hidden" name="seenVersion" value={version} />
      {openId !== null && (
        <input type="hidden" name="to" value={here.replace(paths.overview, paths.referral(openId))} />
      )}
      <IconSelect
        // Made anew by an answer to it, which may have another status for it.
        key={`${version} ${outcome?.went}`}
        name="status"
        tone={option?.tone ?? "closed"}
        icon={option?.icon ?? "closed"}
        label={`Status for nr. ${row.id}`}
        title={option && option.label.length > LONG ? option.label : undefined}
        defaultValue={outcome?.chosen ?? saved}
        onChange={({ target }) => choose(Number(target.value))}
      >
        <Options choices={statuses} />
      </IconSelect>
      <Gem id={row.id} state={isSending ? "working" : (chosenState ?? outcome?.went ?? "ready")} />
    </Form>
  );
}

type GemState = "ready" | "chosen" | "working" | "saved" | "refused";

const buttonState: Record<GemState, ButtonState> = {
  ready: "ready",
  chosen: "ready",
  working: "working",
  saved: "success",
  refused: "failure",
};

/** A row's GEM; twenty of them stand in a list, so each says which referral is its own. Filled while something waits to be saved. */
function Gem({ id, state }: { id: number; state: GemState }) {
  return (
    <Button
      name="intent"
      value="setStatus"
      size="small"
      className="flex-none"
      variant={state === "ready" || state === "saved" ? "plain" : "primary"}
      state={buttonState[state]}
    >
      GEM<span className="vh"> nr. {id}</span>
    </Button>
  );
}
