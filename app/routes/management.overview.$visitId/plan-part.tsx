import { FactList } from "~/ui/facts";
import { Section } from "~/ui/page";
import { EditLink } from "./edit-link";
import type { OpenReferral } from "./open-referral";
import { PlanForm } from "./plan-form";

/** When, what, who and at what price; and the treatment plan's lines, as they were imported. */
export function PlanPart({ referral }: { referral: OpenReferral }) {
  const { plan, edit, isStaff, sections } = referral;
  return (
    <Section title="Plan" id="plan" tools={isStaff && !edit?.plan && <EditLink referralId={referral.id} part="plan" label="Ret planen" />}>
      {edit?.plan ? (
        <PlanForm referral={referral} form={edit.plan} />
      ) : (
        <FactList
          facts={[
            { label: "Dato og tid", value: plan.at },
            { label: "Varighed", value: plan.duration },
            { label: "Behandlingstype", value: plan.treatmentType },
            { label: "Kirurg", value: plan.surgeon },
            { label: "Pris", value: plan.price },
            { label: "Kommentar", value: plan.comment && <span className="lined">{plan.comment}</span>, wide: true },
            ...(plan.statusComment ? [{ label: "Kommentar til status", value: <span className="lined">{plan.statusComment}</span>, wide: true }] : []),
          ]}
        />
      )}
      {sections.appointments.length > 0 && (
        <div className="scroll-x">
          <table className="data">
            <caption className="vh">Behandlingsplan</caption>
            <thead>
              <tr>
                <th scope="col">Dato</th>
                <th scope="col">Behandling</th>
                <th scope="col">Ekstern kode</th>
              </tr>
            </thead>
            <tbody>
              {sections.appointments.map((line) => (
                <tr key={line.id}>
                  <td>{line.isCancelled ? <s>{line.date}</s> : line.date}</td>
                  <td>
                    {line.treatment}
                    {line.isCancelled && " (aflyst)"}
                  </td>
                  <td>{line.externalCode}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
