import { materialKinds, NOTE_LIMIT, WORDS_LIMIT } from "~/features/referrals/material/material-kinds";
import { missingText } from "~/features/referrals/model/missing-texts";
import { AWAITING_MATERIAL, AWAITING_TRIAGE } from "~/features/referrals/model/status";
import { ActionForm } from "~/http/forms/action-form";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { CheckboxGroup } from "~/ui/forms/choices";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { Section } from "~/ui/layout/page";
import { EditForm } from "../../edit-form";
import { EditLink } from "../../edit-link";
import type { OpenReferral } from "../../open-referral";
import { STATUS_FORM, StatusReturn } from "../../status-line";
import { useThisPage } from "../../use-edit-page";
import { MaterialLine } from "./material-line";

type Values = NonNullable<NonNullable<OpenReferral["edit"]>["material"]>;

const labels = { kinds: "Hvad mangler?", otherText: "Andet, som mangler", note: "Besked til henviseren" };

function MaterialForm({ referral, values }: { referral: OpenReferral; values: Values }) {
  const form = useServerForm<Values>("askForMaterial", {
    defaultValue: useOpenedWith("askForMaterial", values),
    firstInput: { kinds: `askForMaterial-kinds-${materialKinds[0]!.value}` },
    labels,
  });
  const { fields } = form;
  const isChange = values.kinds.length > 0;
  return (
    <EditForm
      referral={referral}
      part="materiale"
      form={form}
      saved={[
        { label: "Status", value: referral.statusLabel },
        { label: "Mangler", value: referral.material?.lines.map(({ label }) => label).join(", ") },
      ]}
      label={isChange ? "Gem listen" : "Bed om materialet"}
    >
      <CheckboxGroup field={fields.kinds} label={labels.kinds} choices={materialKinds} />
      <TextField field={fields.otherText} label={labels.otherText} maxLength={WORDS_LIMIT} autoComplete="off" />
      <TextArea
        field={fields.note}
        label={labels.note}
        hint={
          isChange
            ? undefined
            : "Henviseren får en mail om, at der mangler noget. Listen og beskeden står kun i portalen."
        }
        rows={2}
        limit={NOTE_LIMIT}
        optional
      />
    </EditForm>
  );
}

/** Requested material at the head: a checklist for the referrer, its state for staff. Absent without a request. */
export function MaterialPart({ referral }: { referral: OpenReferral }) {
  const { id, material, edit, mayEdit, status } = referral;
  const form = edit?.material;
  if (!form && !material && !(mayEdit && status === AWAITING_MATERIAL)) return null;
  return (
    <div className="px-4 desk:px-6 border-b border-line2">
      <Section
        title={material ? titleOf(material) : "Mangler materiale"}
        id="materiale"
        note={material && !material.completedOn && `bedt om ${material.requestedOn}`}
        tools={
          mayEdit &&
          !form &&
          material?.missing !== 0 && (
            <div className="row">
              <EditLink referralId={id} part="materiale" label="Ret listen over, hvad der mangler">
                {material ? "Ret" : "Skriv, hvad der mangler"}
              </EditLink>
              {material && <WithdrawRequest referral={referral} />}
            </div>
          )
        }
      >
        {form ? (
          <MaterialForm referral={referral} values={form} />
        ) : material === null ? (
          <p className="text-ink2">Henviseren har ikke fået en liste.</p>
        ) : (
          <>
            {material.note && <p className="lined mb-2">{material.note}</p>}
            <ul className="plain [&>li]:py-1.5 [&>li+li]:border-t [&>li+li]:border-line">
              {material.lines.map((line) => (
                <MaterialLine key={line.id} referral={referral} line={line} />
              ))}
            </ul>
          </>
        )}
      </Section>
    </div>
  );
}

const titleOf = ({ completedOn, missing, lines }: NonNullable<OpenReferral["material"]>) => {
  if (!completedOn) return missingText(missing);
  return lines.some(({ answer }) => answer === "files")
    ? `Materiale modtaget ${completedOn}`
    : `Henviseren har svaret ${completedOn}`;
};

function WithdrawRequest({ referral }: { referral: OpenReferral }) {
  const here = useThisPage(referral.id);
  return (
    <ActionForm
      operation="setStatus"
      place={STATUS_FORM}
      others={["undoStatuses"]}
      showsErrors
      action={here}
      preventScrollReset
    >
      <input type="hidden" name="status" value={AWAITING_TRIAGE} />
      <StatusReturn here={here} />
      <Button name="intent" value="setStatus" variant="plain" size="small" fit="tight" icon="undo">
        Træk tilbage
      </Button>
    </ActionForm>
  );
}
