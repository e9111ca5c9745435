import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ProfileHead } from "~/components/profile/profile-head";
import { ShortcutKeys } from "~/components/shortcuts/shortcut-keys";
import { changePassword } from "~/features/accounts/change-password.server";
import { changeProfile, readProfile } from "~/features/accounts/change-profile.server";
import { chooseShortcuts, sendTestEmail, sendTestSms } from "~/features/accounts/operations.server";
import { ActionForm } from "~/http/forms/action-form";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { useButtonState } from "~/http/forms/use-button-state";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { FormPart } from "~/ui/layout/page";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";
import { TestMessages } from "./test-messages";

function ShortcutsForm({ isOn }: { isOn: boolean }) {
  const state = useButtonState("chooseShortcuts");
  return (
    <ActionForm operation="chooseShortcuts" className="panel panel-body">
      <FormPart title="GENVEJSTASTER" hint="I oversigten og den åbne henvisning, når der ikke skrives i et felt.">
        <ShortcutKeys />
        <Checkbox name="shortcuts" value="on" defaultChecked={isOn} label="Brug genvejstaster" />
        <div>
          <Button name="intent" value="chooseShortcuts" state={state}>
            Gem genvejstaster
          </Button>
        </div>
      </FormPart>
    </ActionForm>
  );
}

export const meta = pageTitle("Din profil");

export const handle = { pageForm: () => "changeProfile" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readProfile, {}, { forms: { changeProfile, changePassword, sendTestSms } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { changeProfile, changePassword, chooseShortcuts, sendTestEmail, sendTestSms });

export default function Profile() {
  const { tests, hasShortcuts, ...profile } = useLoaderData<typeof loader>();
  return (
    <>
      <ProfileHead />
      <div className="stack mt-4">
        <ProfileForm profile={profile} />
        <PasswordForm />
        <ShortcutsForm isOn={hasShortcuts} />
        {tests && <TestMessages tests={tests} />}
      </div>
    </>
  );
}
