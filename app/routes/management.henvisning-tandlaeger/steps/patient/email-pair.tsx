import { type FocusEvent, useState } from "react";
import { FieldRow } from "~/ui/layout/page";
import type { FormField } from "~/ui/forms/field";
import { TextField } from "~/ui/forms/text-field";

/**
 * E-mail and confirmation, checked when a field is left. An error replaces the hint, so that nothing moves under a
 * button.
 */
export function EmailPair({ email, confirm }: { email: FormField; confirm: FormField }) {
  const [wrong, setWrong] = useState<{ email?: string; confirm?: string }>({});
  function compare({ currentTarget }: FocusEvent<HTMLDivElement>) {
    const [first, second] = Array.from(currentTarget.querySelectorAll("input"));
    if (!first || !second) return;
    first.value = first.value.trim();
    second.value = second.value.trim();
    const isOdd = first.validity.typeMismatch || first.validity.badInput;
    setWrong({
      ...(isOdd ? { email: "Skriv en e-mailadresse, fx navn@eksempel.dk, eller lad feltet stå tomt." } : {}),
      ...(second.value !== "" && first.value.toLowerCase() !== second.value.toLowerCase()
        ? { confirm: "Email does not match" }
        : {}),
    });
  }
  return (
    <div onBlur={compare}>
      <FieldRow top>
        <TextField
          field={email}
          label="E-mail"
          optional
          type="email"
          autoComplete="off"
          hint={
            <WarningOrHint wrong={email.errors ? undefined : wrong.email}>
              Lad feltet stå tomt, hvis patienten ikke har en e-mail.
            </WarningOrHint>
          }
        />
        <TextField
          field={confirm}
          label="Gentag e-mail"
          type="email"
          autoComplete="off"
          hint={
            <WarningOrHint wrong={confirm.errors ? undefined : wrong.confirm}>Skriv e-mailadressen igen.</WarningOrHint>
          }
        />
      </FieldRow>
    </div>
  );
}

function WarningOrHint({ wrong, children }: { wrong: string | undefined; children: string }) {
  return wrong ? (
    <span className="text-err" role="alert">
      {wrong}
    </span>
  ) : (
    <>{children}</>
  );
}
