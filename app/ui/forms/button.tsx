import { Link, type LinkProps } from "@remix-run/react";
import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { InlineIcon } from "~/ui/icons/inline-icon";

export type ButtonVariant = "primary" | "outline" | "soft" | "plain" | "danger";
export type ButtonState = "ready" | "working" | "success" | "failure";
type ButtonSize = "small" | "compact" | "medium" | "large";

const base =
  "items-center justify-center border rounded font-semibold leading-5 text-center no-underline cursor-pointer " +
  "off:bg-closed-bg off:border-line2 off:text-ink2 off:cursor-default print:hidden";

const variants: Record<ButtonVariant | "success" | "failure", string> = {
  primary: "bg-primary border-primary text-white hover:bg-primary-hover hover:border-primary-hover",
  outline: "bg-surface border-control text-primary-ink hover:bg-tint",
  soft: "bg-surface border-line2 text-primary-ink hover:bg-tint",
  plain: "border-transparent text-primary-ink hover:bg-tint",
  danger: "bg-surface border-err text-err hover:bg-err-bg",
  success: "bg-ok border-ok text-surface",
  failure: "bg-err border-err text-surface",
};

const sizes: Record<ButtonSize, string> = {
  small: "min-h-11 table:min-h-8 table:text-meta",
  compact: "min-h-11 table:min-h-9",
  medium: "min-h-11 table:min-h-10",
  large: "min-h-12 table:min-h-11",
};

/** Reserves space for a mark, so that width is equal in all four states. */
function padding({ variant, size, fit }: ButtonStyle, isMarked?: boolean): string {
  if (fit === "icon") return size === "small" ? "w-11 table:w-8" : "w-11 table:w-10";
  if (fit === "tight") return "px-2 py-1 table:py-0.5";
  if (size === "large") return isMarked ? "px-[15px] py-1" : "px-[27px] py-1";
  if (isMarked) return variant === "plain" || size === "small" ? "px-[3px] py-1" : "px-[7px] py-1";
  if (size === "small") return `${variant === "plain" ? "px-[15px]" : "px-[19px] table:px-[15px]"} py-1 table:py-0.5`;
  return variant === "plain" ? "px-[15px] py-1" : "px-[19px] py-1";
}

interface ButtonStyle {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  iconAfter?: IconName;
  wide?: boolean;
  /** `icon`: square; `tight`: less padding. */
  fit?: "icon" | "tight";
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonStyle {
  /** Text and width stay in all states; the page resets it at the next edit. */
  state?: ButtonState;
}

export function buttonClass(
  { variant = "outline", size = "medium", wide, fit }: ButtonStyle = {},
  state: ButtonState = "ready",
  isMarked = false,
) {
  return classNames(
    base,
    variants[state === "success" || state === "failure" ? state : variant],
    sizes[size],
    padding({ variant, size, fit }, isMarked),
    wide ? "flex w-full" : "inline-flex",
  );
}

const spinner =
  "flex-none size-4 mr-2 border-2 border-current border-t-transparent rounded-full animate-[spin_0.8s_linear_infinite]";

function stateMark(state: ButtonState, size: 16 | 18): ReactNode {
  if (state === "working") return <span className={spinner} aria-hidden="true" />;
  if (state === "success") return <InlineIcon name="check" size={size} className="mr-2" />;
  if (state === "failure") return <InlineIcon name="alert" size={size} className="mr-2" />;
  return null;
}

const stateWord: Record<ButtonState, string> = {
  ready: "",
  working: " – arbejder",
  success: " – lykkedes",
  failure: " – mislykkedes",
};

const nameOf = ({ value }: ButtonHTMLAttributes<HTMLButtonElement>) => (value === undefined ? undefined : "intent");

/**
 * A button: `<Button value="save" variant="primary">Gem</Button>`. It submits by default, and its value is the intent.
 * While working it is aria-disabled, so that focus stays.
 */
export function Button({
  variant,
  size,
  icon,
  iconAfter,
  wide,
  fit,
  state = "ready",
  className,
  children,
  type = "submit",
  ...rest
}: ButtonProps) {
  const marked = state !== "ready";
  return (
    <button
      name={nameOf(rest)}
      {...rest}
      type={type}
      aria-busy={state === "working" || undefined}
      data-state={marked ? state : undefined}
      className={classNames(buttonClass({ variant, size, wide, fit }, state, marked && !icon), className)}
    >
      {marked ? stateMark(state, icon ? 18 : 16) : icon && <Icon name={icon} size={18} className="mr-2" />}
      <span>{children}</span>
      {marked && <span className="sr-only">{stateWord[state]}</span>}
      {iconAfter && <Icon name={iconAfter} size={18} className="ml-2" />}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  icon: IconName;
  label: string;
  size?: ButtonSize;
  variant?: ButtonVariant;
}

export function IconButton({
  icon,
  label,
  size,
  variant = "plain",
  className,
  type = "submit",
  ...rest
}: IconButtonProps) {
  return (
    <button
      name={nameOf(rest)}
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(buttonClass({ variant, size, fit: "icon" }), className)}
    >
      <Icon name={icon} />
    </button>
  );
}

type ButtonLinkProps = LinkProps & ButtonStyle;

/** A link styled as a button; never changes anything. Downloads take `reloadDocument`. */
export function ButtonLink({
  variant,
  size,
  icon,
  iconAfter,
  wide,
  fit,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={classNames(buttonClass({ variant, size, wide, fit }), className)}>
      {icon && <Icon name={icon} size={18} className="mr-2" />}
      <span>{children}</span>
      {iconAfter && <Icon name={iconAfter} size={18} className="ml-2" />}
    </Link>
  );
}

/** What Enter in a field does: the form's operation, nothing, or what the first visible button does. */
export type EnterDoes = "operation" | "nothing" | "first button";

interface DefaultIntentProps {
  value: string;
  enter?: EnterDoes;
}

/**
 * The form's operation when no button is reported, as by old browsers and by Enter. Must be first in every form with
 * buttons (docs/decisions/0054).
 */
export function DefaultIntent({ value, enter = "first button" }: DefaultIntentProps) {
  return (
    <>
      <input type="hidden" name="defaultIntent" value={value} />
      {enter !== "first button" && <EnterButton does={enter} />}
    </>
  );
}

interface EnterButtonProps {
  does: Exclude<EnterDoes, "first button">;
  form?: string;
}

/** Name of the button that does nothing; the server answers its form as it was typed. */
export const NOTHING = "nothing";

/**
 * Takes Enter from the buttons that follow it: browsers press a form's first submit button on Enter, also where it is
 * not seen. One that does nothing is not disabled, since Chromium then presses the next one for Enter on a radio button.
 */
export const EnterButton = ({ does, form }: EnterButtonProps) => (
  <input
    type="submit"
    {...(does === "nothing" && { name: NOTHING, onClick: (event: MouseEvent) => event.preventDefault() })}
    value=""
    form={form}
    className="sr-only"
    tabIndex={-1}
    aria-hidden="true"
  />
);
