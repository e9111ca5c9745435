import { getFormProps } from "@conform-to/react";
import { useSearchParams } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import type { Here } from "~/components/directory-list/directory-list";
import { passwordHint } from "~/features/accounts/password";
import { useButtonState } from "~/http/forms/use-button-state";
import { useHasAnswer, useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/password-field";
import { FieldRow } from "~/ui/layout/page";
import type { OpenUser } from "./present";

/** 'Ændre password'; one's own is changed in the profile. */
export function UserPassword({ user, here }: { user: OpenUser; here: Here }) {
  const isRequested = useSearchParams()[0].get("kode") === "1";
  const isAnswered = useHasAnswer("setUserPassword");
  if (isRequested || isAnswered) return <PasswordForm user={user} here={here} />;
  return (
    <div className="row">
      <ButtonLink to={user.isSelf ? paths.profile : `${here({ kode: 1 })}#adgangskode`} icon="lock" preventScrollReset>
        Ændre password
      </ButtonLink>
      {!user.hasPassword && user.isActive && <SendLink user={user} here={here} />}
    </div>
  );
}

function SendLink({ user, here }: { user: OpenUser; here: Here }) {
  const state = useButtonState("sendUserLink");
  return (
    <ActionForm operation="sendUserLink" action={here({})} preventScrollReset className="row">
      <Button name="intent" value="sendUserLink" icon="email" state={state} disabled={!user.canMail}>
        Send link igen
      </Button>
      <span className="meta">{user.canMail ? "Brugeren har ingen adgangskode endnu." : "Mail: Ikke indstillet"}</span>
    </ActionForm>
  );
}

function PasswordForm({ user, here }: { user: OpenUser; here: Here }) {
  const { form, fields, summary } =
    useServerForm<Record<"newPassword" | "repeatPassword" | "currentPassword", string>>("setUserPassword");
  return (
    <section id="adgangskode" aria-label="Ændre password" className="pt-4 border-t border-line">
      <ActionForm
        operation="setUserPassword"
        showsErrors
        action={here({})}
        preventScrollReset
        {...getFormProps(form)}
        className="stack"
      >
        <ErrorSummary {...summary("Adgangskoden er ikke ændret.")} />
        <p className="meta">
          {user.name} bliver logget ud, får besked på mail og skal vælge sin egen adgangskode ved næste login.
        </p>
        <FieldRow top>
          <PasswordField
            field={fields.newPassword}
            label="Ny adgangskode"
            hint={passwordHint}
            autoComplete="new-password"
          />
          <PasswordField field={fields.repeatPassword} label="Gentag adgangskoden" autoComplete="new-password" />
        </FieldRow>
        {user.isStaff && (
          <PasswordField
            field={fields.currentPassword}
            label="Din egen adgangskode"
            autoComplete="current-password"
            required
          />
        )}
        <div className="row">
          <Button name="intent" value="setUserPassword" state={useButtonState("setUserPassword")}>
            Ændre password
          </Button>
          <ButtonLink to={here({})} variant="plain" preventScrollReset data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </section>
  );
}
