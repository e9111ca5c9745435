import { useNavigation } from "@remix-run/react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import type { StatusOption } from "~/features/referrals/model/status";
import { TicketFields } from "~/http/forms/action-form";
import type { PageTicket } from "~/http/forms/use-action-result";
import { openedWith } from "~/text/control-values";
import { Button, type ButtonState } from "~/ui/forms/button";
import { IconSelect, Options } from "~/ui/forms/fields";
import { useHydrationHandover } from "~/ui/hooks/use-hydrated";
import { classNames } from "~/ui/layout/class-names";
import type { RowSaveState } from "./row-save-state";

interface StatusFormProps {
  referral: { id: number; statusVersion: number; status: number };
  options: StatusOption[];
  action: string;
  submit(event: FormEvent<HTMLFormElement>): void;
  outcome: RowSaveState | null;
  /** The page's ticket. A row that is being edited keeps the ticket from when editing began. */
  ticket: PageTicket;
  item?: string;
  formId?: string;
  shortcut?: string;
  className?: string;
  children?: ReactNode;
}

interface Pending {
  ticket: PageTicket;
  opened: string;
  version: number;
  saved: number;
  chosen: number;
}

/**
 * Status select and GEM. A refused choice stays chosen. While a status is being chosen the form keeps the status that
 * was shown, so that GEM detects a conflict (docs/decisions/0118).
 */
export function StatusForm({
  referral,
  options,
  action,
  submit,
  outcome: last,
  ticket,
  item,
  formId,
  shortcut,
  className,
  children,
}: StatusFormProps) {
  const { id } = referral;
  const { formData } = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState<Pending | null>(null);
  const isSending =
    formData?.get("intent") === "setStatus" &&
    formData.get("referralId") === String(id) &&
    (formData.get("formId") ?? undefined) === formId;
  const outcome = useOutcome(last?.rowId === id ? last : null, isSending);
  const saved = pending?.saved ?? referral.status;
  const version = pending?.version ?? referral.statusVersion;
  const held = pending?.ticket ?? ticket;
  const opened = pending?.opened ?? outcome?.opened ?? openedWith({ status: String(saved) });
  const choose = (chosen: number) => setPending({ ticket: held, opened, version, saved, chosen });
  useHydrationHandover(form, (standing) => {
    const chosen = Number(standing.get("status"));
    if (chosen !== (outcome?.chosen ?? saved)) choose(chosen);
  });
  const option = options.find(({ value }) => value === saved);
  const chosenState = pending && (pending.chosen === pending.saved ? "ready" : "chosen");
  return (
    <>
      <form
        ref={form}
        method="post"
        action={action}
        className={classNames("set-status", chosenState === "chosen" && "status-chosen", className)}
        onSubmit={(event) => {
          setPending(null);
          submit(event);
        }}
      >
        <TicketFields
          operation="setStatus"
          ticket={held}
          place={formId}
          item={item}
          opened={opened}
          shows={`${id} ${saved}`}
        />
        <input type="hidden" name="referralId" value={id} />
        {children}
        <IconSelect
          key={`${version} ${outcome?.went}`}
          name="status"
          data-shortcut={shortcut}
          tone={option?.tone ?? "closed"}
          icon={option?.icon ?? "closed"}
          label={`Status for nr. ${id}`}
          title={option?.brief && option.label}
          defaultValue={outcome?.chosen ?? saved}
          onChange={({ target }) => choose(Number(target.value))}
        >
          {/* A closed select has room for the brief label only. */}
          <Options
            choices={options.map((each) => (each === option && each.brief ? { ...each, label: each.brief } : each))}
          />
        </IconSelect>
        <Gem id={id} state={isSending ? "working" : (chosenState ?? outcome?.went ?? "ready")} />
      </form>
      {outcome?.reason && (
        <p className="text-err font-semibold mt-1 whitespace-normal" role="alert">
          {outcome.reason}
        </p>
      )}
    </>
  );
}

function useOutcome(answered: RowSaveState | null, isSending: boolean): RowSaveState | null {
  const [held, setHeld] = useState({ outcome: answered, isSent: false });
  const isNews = held.outcome?.went !== answered?.went || held.outcome?.chosen !== answered?.chosen;
  let now = held;
  if (isSending) now = held.isSent ? held : { ...held, isSent: true };
  else if (held.isSent || (answered !== null && isNews)) now = { outcome: answered, isSent: false };
  if (now !== held) setHeld(now);
  return answered ?? (now.outcome?.went === "refused" ? now.outcome : null);
}

type GemState = "ready" | "chosen" | "working" | "saved" | "refused";

const buttonState: Record<GemState, ButtonState> = {
  ready: "ready",
  chosen: "ready",
  working: "working",
  saved: "success",
  refused: "failure",
};

/** GEM, labelled with its referral for screen readers, since a list has twenty. Filled while a choice is unsaved. */
function Gem({ id, state }: { id: number; state: GemState }) {
  return (
    <Button
      value="setStatus"
      size="small"
      className="flex-none"
      variant={state === "ready" || state === "saved" ? "plain" : "primary"}
      state={buttonState[state]}
    >
      GEM<span className="sr-only">{` nr. ${id}`}</span>
    </Button>
  );
}
