import { type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { InlineIcon } from "~/ui/icons/inline-icon";
import type { InlineIconName } from "~/ui/icons/inline-icons";
import { type Tone, toneClass } from "~/ui/lists/chip";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { ChangingText } from "~/ui/layout/translation";

export type NoticeKind = "info" | "warn" | "error" | "success";

const tones: Record<NoticeKind, Tone> = { info: "info", warn: "warn", error: "err", success: "ok" };
const icons: Record<NoticeKind, InlineIconName> = { info: "info", warn: "warning", error: "alert", success: "done" };

export interface NoticeProps {
  kind?: NoticeKind;
  icon?: IconName;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Announced when it appears: errors at once, others politely. */
  live?: boolean;
  className?: string;
}

const kindClass = (kind: NoticeKind) =>
  classNames(
    "notice",
    toneClass[tones[kind]],
    kind === "warn" ? "border-warn-frame text-ink [&>svg]:text-warn" : "border-transparent text-tone",
  );
const mark = "mt-0.5 table:mt-0 mr-2.5";

export function Notice({ kind = "info", icon, title, children, action, live, className }: NoticeProps) {
  return (
    <div
      className={classNames(kindClass(kind), "notice-in-page", className)}
      role={live ? (kind === "error" ? "alert" : "status") : undefined}
    >
      {icon ? <Icon name={icon} className={mark} /> : <InlineIcon name={icons[kind]} className={mark} />}
      <div className="flex-1 min-w-0 phone:basis-[150px]">
        {title && <b>{title} </b>}
        {typeof children === "string" ? <ChangingText text={children} /> : children}
      </div>
      {action}
    </div>
  );
}

/** Texts of a refusal, announced at once; nothing without one. */
export const ErrorNotice = ({ texts }: { texts: readonly string[] | null | undefined }) =>
  texts?.length ? (
    <Notice kind="error" live>
      {texts.join(" ")}
    </Notice>
  ) : null;

export interface FlashMessage {
  id: string;
  kind: NoticeKind;
  title?: string;
  text?: string;
  action?: ReactNode;
}

const SNACKBAR_MS = 5000;

function Snackbar({ message, onGone }: { message: FlashMessage; onGone: () => void }) {
  const hydrated = useHydrated();
  const [held, setHeld] = useState(false);
  const stays = message.kind === "error";
  useEffect(() => {
    if (held || stays) return;
    const timer = setTimeout(onGone, SNACKBAR_MS);
    return () => clearTimeout(timer);
  }, [held, stays, onGone]);
  return (
    <div
      className={kindClass(message.kind)}
      role={message.kind === "error" ? "alert" : undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <InlineIcon name={icons[message.kind]} className={mark} />
      <div className="flex-1 min-w-0">
        {message.title && <b>{message.title} </b>}
        {message.text && <ChangingText text={message.text} />}
      </div>
      {message.action}
      {hydrated && (
        <button
          type="button"
          className="flex flex-none items-center justify-center size-11 -my-2 -mr-2.5 ml-1 rounded print:hidden"
          aria-label="Luk besked"
          onClick={onGone}
        >
          <InlineIcon name="close" />
        </button>
      )}
    </div>
  );
}

/**
 * Messages of the last action. Static without JavaScript; with it they float and disappear after 5 s unless hovered or
 * focused. Errors stay until closed.
 */
export function FlashStack({ messages }: { messages: readonly FlashMessage[] }) {
  const [gone, setGone] = useState<readonly string[]>([]);
  const [leave] = useState(() => {
    const known = new Map<string, () => void>();
    return (id: string) => {
      const act = known.get(id) ?? (() => setGone((before) => [...before, id]));
      known.set(id, act);
      return act;
    };
  });
  const shown = messages.filter((message) => !gone.includes(message.id));
  // Must not cover what was pressed, nor the name of the patient at the top of a scrolled page.
  const stack = useRef<HTMLDivElement>(null);
  const isAny = shown.length > 0;
  useEffect(() => {
    const { activeElement, body } = document;
    const top = activeElement === body ? Infinity : activeElement!.getBoundingClientRect().top;
    if (isAny) stack.current!.classList.toggle("flash-low", top < 140 || scrollY > 60);
  }, [isAny]);
  // The live region exists before its text, or screen readers may miss it.
  return (
    <div ref={stack} className="flash" role="status" data-messages>
      {shown.map((message) => (
        <Snackbar key={message.id} message={message} onGone={leave(message.id)} />
      ))}
    </div>
  );
}
