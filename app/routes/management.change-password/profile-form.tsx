import { Form } from "@remix-run/react";
import { usePortalForm } from "~/http/use-portal-form";
import { Button } from "~/ui/button";
import { DefaultIntent } from "~/ui/default-intent";
import { ErrorSummary } from "~/ui/error-summary";
import { FormPart, Pair } from "~/ui/page";
import { TextField } from "~/ui/text-field";
import { useSaveState } from "./use-save-state";

interface Profile extends Record<string, string> {
  firstName: string;
  lastName: string;
  userName: string;
  email: string;
  phone: string;
}

/** The form, with the password that a change of user name or e-mail asks for. */
interface ProfileFields extends Partial<Profile> {
  currentPassword?: string;
}

const labels = {
  firstName: "Fornavn",
  lastName: "Efternavn",
  userName: "Brugernavn",
  email: "E-mail",
  phone: "Telefon",
  currentPassword: "Nuværende adgangskode",
};

export function ProfileForm({ profile }: { profile: Profile }) {
  const { field, faults, formErrors, wasRefused } = usePortalForm<ProfileFields>("changeProfile", profile, {
    guarded: "path",
    labels,
  });
  const { state, edited } = useSaveState("changeProfile", wasRefused);
  // A refusal, such as a name that is taken, is not about what is missing.
  const title = formErrors.length > 0 ? "Dine brugerdata er ikke gemt." : undefined;
  return (
    <Form method="post" className="panel panel-body" noValidate onChange={edited} id="changeProfile">
      <DefaultIntent value="changeProfile" />
      <FormPart title="SKIFT BRUGERDATA" hint="Felter med * skal udfyldes.">
        <ErrorSummary errors={faults.length > 0 ? faults : formErrors.map((text) => ({ text }))} title={title} />
        <Pair>
          <TextField {...field("firstName")} label="Fornavn" required autoComplete="given-name" />
          <TextField {...field("lastName")} label="Efternavn" required autoComplete="family-name" />
        </Pair>
        <TextField {...field("userName")} label="Brugernavn" required autoComplete="username" />
        <TextField {...field("email")} label="E-mail" required type="email" autoComplete="email" />
        <TextField {...field("phone")} label="Telefon" optional type="tel" autoComplete="tel" />
        <TextField
          {...field("currentPassword")}
          label="Nuværende adgangskode"
          hint="Kun når du ændrer brugernavn eller e-mail."
          type="password"
          autoComplete="current-password"
        />
        <Button name="intent" value="changeProfile" variant="primary" state={state}>
          Gem brugerdata
        </Button>
      </FormPart>
    </Form>
  );
}
