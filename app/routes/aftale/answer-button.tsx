import type { ReactNode } from "react";
import { DefaultIntent } from "~/ui/forms/default-intent";

interface AnswerButtonProps {
  intent: string;
  token: string;
  variant?: "primary" | "failure" | "quiet";
  fields?: ReactNode;
  children: ReactNode;
}

const variantClasses = {
  primary: "btn btn-primary",
  failure: "btn btn-failure",
  quiet: "btn btn-quiet",
  outline: "btn",
};

/** One answer as its own form, so that nothing happens before it is pressed. */
export const AnswerButton = ({ intent, token, variant, fields, children }: AnswerButtonProps) => (
  <form method="post">
    <DefaultIntent value={intent} />
    <input type="hidden" name="token" value={token} />
    {fields}
    <button className={variantClasses[variant ?? "outline"]} name="intent" value={intent}>
      {children}
    </button>
  </form>
);
