import { DefaultIntent } from "~/ui/forms/button";
import { Verbatim } from "~/ui/layout/translation";

interface BindingFormProps {
  step: string;
  name: string;
  userName: string;
}

/** Asks, before the first sign-in at the provider, whether the user that was found is the person. */
export function BindingForm({ step, name, userName }: BindingFormProps) {
  return (
    <>
      <h1>Er det dig?</h1>
      <p>
        Din konto knyttes til{" "}
        <b>
          <Verbatim>{name}</Verbatim>
        </b>{" "}
        (brugernavn <Verbatim>{userName}</Verbatim>). Herefter logger du ind her som <Verbatim>{name}</Verbatim>, og
        alle andre steder bliver brugeren logget ud.
      </p>
      <form method="post" action="/login">
        <DefaultIntent value="confirmExternalBinding" />
        <input type="hidden" name="step" value={step} />
        <p>
          <button className="btn btn-primary" name="intent" value="confirmExternalBinding">
            Ja, knyt kontoen
          </button>
        </p>
      </form>
      <p>
        Er det ikke dig? <a href="/login">Gå tilbage til log ind</a>, og skriv til support.
      </p>
    </>
  );
}
