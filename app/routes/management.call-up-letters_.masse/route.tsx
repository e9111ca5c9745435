import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import { readCallUpPreview, sendCallUps } from "~/features/call-ups/call-up-many.server";
import { placeholders } from "~/features/delivery/templates/placeholders";
import { callUpWays, obstacleTexts } from "~/features/patient-messages/ways";
import { ActionForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Disclosure } from "~/ui/layout/disclosure";

type Values = SerializeFrom<typeof loader>;

function presentPreview({ type, patients }: Values) {
  const judged = patients.map(({ obstacle, missing, ...patient }) => ({
    ...patient,
    reason: reasonOf(obstacle, missing),
  }));
  return {
    type,
    way: callUpWays.find(({ value }) => value === type)?.label ?? "",
    possible: judged.filter(({ reason }) => reason === null),
    blocked: judged.filter(({ reason }) => reason !== null),
  };
}

function reasonOf(
  obstacle: Values["patients"][number]["obstacle"],
  missing: Values["patients"][number]["missing"],
): string | null {
  if (obstacle === "planned") return "En indkaldelse er allerede planlagt";
  if (obstacle !== null) return obstacleTexts[obstacle];
  return missing.length === 0
    ? null
    : `mangler ${missing.map((name) => placeholders[name].label.toLowerCase()).join(", ")}`;
}

export const meta = pageTitle("Indkald de valgte");

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, readCallUpPreview, { nr: query.get("nr") ?? "", type: query.get("type") ?? "" });
};

export { clientAction, clientLoader } from "~/http/forms/client-page";

export const action = (args: ActionFunctionArgs) => runCommand(args, { sendCallUps });

export default function CallUpMany() {
  const { type, way, possible, blocked } = presentPreview(useLoaderData<typeof loader>());
  const many = possible.length === 1 ? "1 patient" : `${possible.length} patienter`;
  return (
    <div className="stack">
      <PageHead title={`Indkald ${many} med ${way}`} />
      {blocked.length > 0 && (
        <Notice kind="warn" title={`${blocked.length} af de valgte kan ikke indkaldes sådan:`}>
          <ul>
            {blocked.map(({ id, name, reason }) => (
              <li key={id}>
                Nr. {id} {name}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <section className="panel panel-body" aria-label="Teksterne">
        <h2>Det sendes til hver af dem</h2>
        {possible.length === 0 ? (
          <p className="meta">Ingen af de valgte kan indkaldes på den måde.</p>
        ) : (
          <ul className="sent-list divide-y divide-line">
            {possible.map(({ id, name, subject, body }, index) => (
              <li key={id}>
                <span>
                  Nr. {id} <b>{name}</b>
                </span>
                <Disclosure quiet title="Vis tekst" open={index === 0}>
                  {subject && <p className="mb-1 font-semibold">{subject}</p>}
                  <p className="lined">{body}</p>
                </Disclosure>
              </li>
            ))}
          </ul>
        )}
      </section>
      <ActionForm operation="sendCallUps" className="row">
        <input type="hidden" name="nr" value={possible.map(({ id }) => id).join("-")} />
        <input type="hidden" name="incallType" value={type} />
        {possible.length > 0 && (
          <Button value="sendCallUps" variant="primary" icon="send">
            Indkald {many}
          </Button>
        )}
        <ButtonLink to={paths.callUps}>Annuller</ButtonLink>
      </ActionForm>
    </div>
  );
}
