import { Form } from "@remix-run/react";
import { usePortalForm } from "~/http/use-portal-form";
import { Button } from "~/ui/button";
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

export function ProfileForm({ profile }: { profile: Profile }) {
  const { field, faults, formErrors, wasRefused } = usePortalForm<Profile>("changeProfile", profile);
  const { state, edited } = useSaveState("changeProfile", wasRefused);
  // A refusal, such as a name that is taken, is not about what is missing.
  const title = formErrors.length > 0 ? "Dine brugerdata er ikke gemt." : undefined;
  return (
    <Form method="post" className="panel panel-body" noValidate onChange={edited}>
      <FormPart title="SKIFT BRUGERDATA" hint="Felter med * skal udfyldes.">
        <ErrorSummary errors={faults.length > 0 ? faults : formErrors.map((text) => ({ text }))} title={title} />
        <Pair>
          <TextField {...field("firstName")} label="Fornavn" required autoComplete="given-name" />
          <TextField {...field("lastName")} label="Efternavn" required autoComplete="family-name" />
        </Pair>
        <TextField {...field("userName")} label="Brugernavn" required autoComplete="username" />
        <TextField {...field("email")} label="E-mail" required type="email" autoComplete="email" />
        <TextField {...field("phone")} label="Telefon" optional type="tel" autoComplete="tel" />
        <Button name="intent" value="changeProfile" variant="primary" state={state}>
          Gem brugerdata
        </Button>
      </FormPart>
    </Form>
  );
}
