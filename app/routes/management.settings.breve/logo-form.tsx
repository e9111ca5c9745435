import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, guidanceText } from "~/files/file-texts";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { FormPart } from "~/ui/layout/page";

interface LogoFormProps {
  logo: { name: string | null; isConfigured: boolean };
}

function currentLogoText({ name, isConfigured }: LogoFormProps["logo"]): string {
  if (name !== null) return `Nu: ${name}`;
  return isConfigured ? "Nu: logoet fra opsætningen" : "Nu: klinikkens navn med bogstaver";
}

export function LogoForm({ logo }: LogoFormProps) {
  const { form, fields, summary } = useServerForm<{ letterLogo?: string }>("saveLetterLogo");
  return (
    <ActionForm
      operation="saveLetterLogo"
      place="saveLetterLogo"
      showsErrors
      encType="multipart/form-data"
      preventScrollReset
      {...getFormProps(form)}
      className="panel panel-body"
    >
      <FormPart title="Logo" hint="Øverst til venstre på brevet, højst 7 cm bredt og 1,4 cm højt.">
        <ErrorSummary {...summary("Logoet er ikke gemt.")} />
        <p>{currentLogoText(logo)}</p>
        <FileField
          field={fields.letterLogo}
          label={logo.name === null ? "Vælg et logo" : "Vælg et andet logo"}
          accept={acceptAttribute("logo")}
          types={guidanceText("logo")}
          refusalOf={(file) => chosenFileRefusal("logo", file)}
        />
        <div className="row">
          <Button
            name="intent"
            value="saveLetterLogo"
            variant="primary"
            icon="upload"
            state={useButtonState("saveLetterLogo")}
          >
            Gem logo
          </Button>
          {logo.name !== null && (
            <Button name="intent" value="removeLetterLogo" variant="danger" icon="delete">
              Fjern logo
            </Button>
          )}
        </div>
      </FormPart>
    </ActionForm>
  );
}
