import { Button } from "~/ui/forms/button";
import { Checkbox, CheckboxGroup, RadioGroup } from "~/ui/forms/choices";
import { CprField } from "~/ui/forms/cpr-field";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { FormPart, FieldRow, StickyBar } from "~/ui/layout/page";
import { IconSelect, Options, SelectField } from "~/ui/forms/select-field";
import { Stepper } from "~/ui/layout/stepper";
import { PasswordField } from "~/ui/forms/password-field";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { TimeFields } from "~/ui/forms/time-fields";
import { KitBox } from "./kit-box";

const clinics = [
  { value: 1, label: "Tandlægerne på Åen" },
  { value: 2, label: "Tandklinikken Nørrebro" },
  { value: 3, label: "Lukket klinik", disabled: true },
];

export function KitFields({ prefix }: { prefix: string }) {
  const id = (name: string) => `${prefix}-${name}`;
  return (
    <>
      <div className="panel">
        <Stepper
          current={2}
          steps={[
            { label: "Patient information", to: "#trin-1" },
            { label: "Henviser information" },
            { label: "Røntgenbilleder" },
          ]}
        />
        <form className="panel-body" noValidate>
          <ErrorSummary
            id={id("errors")}
            errors={[
              { fieldId: id("last"), text: "Skriv patientens efternavn" },
              { text: "Henvisningen er ændret, siden du åbnede den." },
            ]}
          />
          <FormPart title="Find patienten" hint="Skriv CPR-nummeret, så henter vi navn og adresse.">
            <div className="fields-row">
              <CprField id={id("cpr")} required defaultValue6="251248" defaultValue4="9996" />
              <Button variant="primary" icon="search" className="phone:flex-auto">
                Hent adresse
              </Button>
              <Button className="phone:flex-auto">Gem data</Button>
            </div>
          </FormPart>
          <FormPart title="Patient" hint="Felter med * skal udfyldes.">
            <FieldRow>
              <TextField name="first" id={id("first")} label="Fornavn" required defaultValue="Nancy Ann" />
              <TextField name="last" id={id("last")} label="Efternavn" required error="Skriv patientens efternavn" />
            </FieldRow>
            <FieldRow narrow>
              <TextField name="zip" id={id("zip")} label="Postnr." required inputMode="numeric" width={4} />
              <TextField name="city" id={id("city")} label="By" required />
            </FieldRow>
            <TextField name="job" id={id("job")} label="Stilling" optional hint="Bruges kun i brevet til patienten." />
            <TextField name="locked" id={id("locked")} label="Spærret felt" disabled defaultValue="Kan ikke ændres" />
            <PasswordField name="password" id={id("password")} label="Adgangskode" autoComplete="off" width={20} />
            <TextArea name="comment" id={id("comment")} label="Kommentar" hint="Højst 2000 tegn." />
          </FormPart>
          <FormPart title="Plan">
            <div className="fields-row">
              <DateField name="date" id={id("date")} label="Dato" defaultValue="02.12.2026" />
              <TimeFields hourName="hour" minuteName="minute" idPrefix={id("")} hour="09" minute="30" />
              <SelectField
                name="clinic"
                id={id("clinic")}
                label="Klinik"
                choices={clinics}
                empty="Vælg klinik"
                width={20}
              />
            </div>
            <SelectField
              name="bad"
              id={id("bad")}
              label="Kirurg"
              choices={clinics}
              empty="Vælg kirurg"
              error="Vælg en kirurg"
              required
            />
            <span className="block max-w-[260px]">
              <IconSelect tone="waiting" icon="awaits-material" label="Status for nr. 48221" name="status">
                <Options choices={[{ value: 4, label: "Afventer yderligere materiale" }]} />
              </IconSelect>
            </span>
          </FormPart>
          <FormPart title="Valg">
            <CheckboxGroup
              name="statuses"
              id={id("statuses")}
              label="Status"
              selectAll
              choices={clinics}
              defaultValues={[1]}
            />
            <RadioGroup
              name="pay"
              id={id("pay")}
              label="Betaling"
              error="Vælg en betaling"
              choices={[...clinics.slice(0, 1), { value: 9, label: "Regionstandpleje", hint: "Kræver bevilling." }]}
              defaultValue={1}
            />
            <Checkbox name="urgent" label="Haste henvisning" />
            <FileField
              name="files"
              id={id("files")}
              label="Røntgenbilleder"
              types="jpg, jpeg, gif, png, bmp eller dcm, højst 1 GB"
              multiple
              error="Denne filtype er ikke godkendt i dette felt."
            />
          </FormPart>
        </form>
      </div>
      <StickyBar form label={`Handlinger ${prefix}`}>
        <Button variant="primary" size="large" iconAfter="next" className="phone:flex-[1_0_auto]">
          Næste
        </Button>
        <span className="meta push">Gemt som kladde kl. 10.24</span>
      </StickyBar>
      <KitBox title="Filter">
        <div className="compact fields-row">
          <TextField name="name" id={id("name")} label="Patient navn" className="min-w-0 flex-[1_1_200px]" />
          <CprField id={id("fcpr")} />
          <DateField name="from" id={id("from")} label="Dato fra" defaultValue="01.08.2026" />
          <Button variant="primary" icon="search" size="compact" className="phone:flex-auto">
            Søg
          </Button>
        </div>
      </KitBox>
    </>
  );
}
