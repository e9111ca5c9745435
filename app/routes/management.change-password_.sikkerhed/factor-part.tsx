import type { readSecurity } from "~/features/account-security/read-security.server";
import type { PageOf } from "~/http/runners/page.server";
import { Link, useSearchParams } from "@remix-run/react";
import { RecoveryCodes } from "~/components/second-factor/recovery-codes";
import { PasswordForm, SetUp } from "~/components/second-factor/set-up";
import { useActionResult, useFormErrors } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { showDate } from "~/text/dates";
import { ButtonLink } from "~/ui/forms/button";
import { FormPart } from "~/ui/layout/page";
import { Chip } from "~/ui/lists/chip";

interface FactorProps {
  factor: NonNullable<PageOf<typeof readSecurity>["factor"]>;
  userName: string;
}

/** 'Totrinslogin': set-up and later changes; each requires the password and a code. */
export function FactorPart({ factor, userName }: FactorProps) {
  const { isOn, isRequired, setUp } = factor;
  const section = useSearchParams()[0].get("sp");
  const isBeginning = setUp !== null || section === "telefon";
  return (
    <FormPart
      title="Totrinslogin"
      hint={
        isRequired
          ? "Kræves for din konto. Du skal bruge en kode-app på din telefon."
          : "Log ind med din adgangskode og en kode fra en app på din telefon."
      }
    >
      {isOn && <On factor={factor} />}
      {(!isOn || isBeginning) && (
        <SetUp userName={userName} setUp={setUp} isOn={isOn} begin={isOn ? "Skift telefon" : "Slå totrinslogin til"} />
      )}
      {isOn && !isBeginning && <Ways factor={factor} userName={userName} section={section} />}
    </FormPart>
  );
}

const On = ({ factor: { since, codesLeft } }: Pick<FactorProps, "factor">) => (
  <p className="row m-0">
    <Chip tone="ok" icon="done">
      Slået til
    </Chip>
    <span className="meta">
      {since && `siden ${showDate(since)} · `}
      {codesLeft === 1 ? "1 gendannelseskode" : `${codesLeft} gendannelseskoder`} tilbage
    </span>
  </p>
);

function Ways({ factor: { isRequired }, userName, section }: FactorProps & { section: string | null }) {
  const codes = useActionResult("renewRecoveryCodes")?.data?.codes as string[] | undefined;
  const errors = useFormErrors("renewRecoveryCodes");
  const isRenewing = section === "koder" || errors.length > 0;
  if (codes)
    return (
      <RecoveryCodes codes={codes} userName={userName}>
        <ButtonLink to={paths.security()} variant="primary">
          Jeg har gemt koderne
        </ButtonLink>
      </RecoveryCodes>
    );
  if (isRenewing)
    return (
      <PasswordForm
        intent="renewRecoveryCodes"
        button="Lav ti nye koder"
        failed="Der er ikke lavet nye koder."
        asksCode
      >
        <p className="m-0">De gamle gendannelseskoder virker ikke mere, når der er lavet nye.</p>
      </PasswordForm>
    );
  if (section === "fra" && !isRequired)
    return (
      <PasswordForm
        intent="endSecondFactor"
        button="Slå totrinslogin fra"
        failed="Totrinslogin er ikke slået fra."
        isDanger
        asksCode
      >
        <p className="m-0">Derefter er din adgangskode nok til at logge ind.</p>
      </PasswordForm>
    );
  return (
    <div className="row">
      <ButtonLink to={paths.security("koder")}>Nye gendannelseskoder</ButtonLink>
      <ButtonLink to={paths.security("telefon")}>Skift telefon</ButtonLink>
      {!isRequired && (
        <Link to={paths.security("fra")} className="text-err inline-flex items-center min-h-11">
          Slå fra
        </Link>
      )}
    </div>
  );
}
