import { Link, type LinkProps } from "@remix-run/react";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { InlineIcon } from "~/ui/icons/inline-icon";

export type ButtonVariant = "primary" | "outline" | "plain" | "danger";
export type ButtonState = "ready" | "working" | "success" | "failure";
export type ButtonSize = "small" | "medium" | "large";

const variantClass: Record<ButtonVariant, string> = {
  primary: "btn-primary",
  outline: "btn-outline",
  plain: "btn-plain",
  danger: "btn-danger",
};
const sizeClass: Record<ButtonSize, string | false> = { small: "btn-s", medium: false, large: "btn-l" };

interface Looks {
  /** Primary = filled: one per decision, something here is saved or sent. Outline unless told. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Stands before the words. */
  icon?: IconName;
  /** Stands after the words (an arrow onward, a chevron that opens). */
  iconAfter?: IconName;
  /** As wide as its column. */
  wide?: boolean;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Looks {
  /** The words stay in all four states, and so does the width. The page sets it back to ready at the next edit. */
  state?: ButtonState;
}

function looks({ variant = "outline", size = "medium", wide }: Looks) {
  return classNames("btn", variantClass[variant], sizeClass[size], wide && "btn-wide");
}

function stateMark(state: ButtonState, size: 16 | 18): ReactNode {
  if (state === "working") return <span className="spin" aria-hidden="true" />;
  if (state === "success") return <InlineIcon name="check" size={size} />;
  if (state === "failure") return <InlineIcon name="alert" size={size} />;
  return null;
}

const stateWord: Record<ButtonState, string> = {
  ready: "",
  working: " – arbejder",
  success: " – lykkedes",
  failure: " – mislykkedes",
};

/**
 * A button that acts: `<Button name="intent" value="save" variant="primary">Gem</Button>`.
 * `type` is submit unless told. While working it is aria-disabled rather than disabled, so focus stays.
 */
export function Button({
  variant,
  size,
  icon,
  iconAfter,
  wide,
  state = "ready",
  className,
  children,
  type = "submit",
  ...rest
}: ButtonProps) {
  const marked = state !== "ready";
  return (
    <button
      {...rest}
      type={type}
      aria-busy={state === "working" || undefined}
      className={classNames(
        looks({ variant, size, wide }),
        marked && !icon && "btn-marked",
        state === "success" && "btn-success",
        state === "failure" && "btn-failure",
        className,
      )}
    >
      {marked ? stateMark(state, icon ? 18 : 16) : icon && <Icon name={icon} size={18} />}
      <span>{children}</span>
      {marked && <span className="vh">{stateWord[state]}</span>}
      {iconAfter && <Icon name={iconAfter} size={18} className="after" />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  icon: IconName;
  /** What it does; the accessible name and the title. */
  label: string;
  size?: ButtonSize;
  variant?: ButtonVariant;
}

/** A square button that shows an icon only. */
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
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(looks({ variant, size }), "btn-icon", className)}
    >
      <Icon name={icon} />
    </button>
  );
}

export type ButtonLinkProps = LinkProps & Looks;

/** A link that looks like a button: it goes somewhere, it changes nothing. Downloads take `reloadDocument`. */
export function ButtonLink({ variant, size, icon, iconAfter, wide, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={classNames(looks({ variant, size, wide }), className)}>
      {icon && <Icon name={icon} size={18} />}
      <span>{children}</span>
      {iconAfter && <Icon name={iconAfter} size={18} className="after" />}
    </Link>
  );
}
