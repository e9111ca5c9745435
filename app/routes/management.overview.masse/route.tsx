import type { LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData, useLocation } from "@remix-run/react";
import { askAllStatuses } from "~/features/referrals/status/ask-status.server";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Button, ButtonLink } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { DialogPage } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { presentMassChange } from "./present";

export const meta = pageTitle("Skift status på alle");

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, askAllStatuses, { f: query.get("f"), status: query.get("status") ?? "" });
};

export const clientLoader = keepPageOnNetworkError;

/** The question before all that match the filter get a new status: it names how many, and which filter. */
export default function ChangeAll() {
  const { status, statusLabel, count, max, many, filters } = presentMassChange(useLoaderData<typeof loader>());
  const f = new URLSearchParams(useLocation().search).get("f");
  const list = f ? `${paths.overview}?${new URLSearchParams({ f }).toString()}` : paths.overview;
  return (
    <DialogPage title={`Skift status på ${many}?`} closeTo={list}>
      <div className="stack-s">
        <p>
          Alle, der passer til filteret, får status <b>{statusLabel}</b>.{" "}
          {filters.length > 0
            ? `Filteret er: ${filters.join(" · ")}.`
            : "Det er standardfilteret: alle åbne henvisninger."}
        </p>
        <p className="meta">Ingen filer slettes. Du kan fortryde, så længe beskeden står på siden.</p>
        {count > max && <Notice kind="warn">Højst {showCount(max)} ad gangen. Gør filteret snævrere.</Notice>}
        <Form method="post" action={list} className="row">
          <DefaultIntent value="setAllStatuses" />
          <input type="hidden" name="f" value={f ?? ""} />
          <input type="hidden" name="status" value={status} />
          <input type="hidden" name="count" value={count} />
          {count > 0 && count <= max && (
            <Button name="intent" value="setAllStatuses" variant="primary">
              Skift status på {many}
            </Button>
          )}
          <ButtonLink to={list}>Annuller</ButtonLink>
        </Form>
      </div>
    </DialogPage>
  );
}
