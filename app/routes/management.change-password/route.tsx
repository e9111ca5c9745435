import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { changePassword } from "~/features/accounts/change-password.server";
import { changeProfile, readProfile } from "~/features/accounts/change-profile.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { PageHead } from "~/ui/page";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";

export const meta = pageTitle("Din profil");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readProfile);

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { changeProfile, changePassword });

/** One's own data and password (specification 2 §7 Profile, 3 §2 Profile page). */
export default function Profile() {
  const profile = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Din profil" />
      <div className="stack">
        <ProfileForm profile={profile} />
        <PasswordForm />
      </div>
    </>
  );
}
