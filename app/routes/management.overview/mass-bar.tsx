import { Form, useNavigation } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { isAllPicked, usePicked } from "~/components/picked-rows/use-picked";
import { AWAITING_TRIAGE } from "~/features/referrals/model/status";
import { paths } from "~/paths";
import type { ShownList } from "./present";
import { showCount } from "~/text/numbers";
import { Button } from "~/ui/forms/button";
import { StickyBar } from "~/ui/layout/page-frame";
import { SelectField } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { statusesOf } from "~/components/overview-list/overview-list";

/**
 * Bar of the mass update at the foot. With JavaScript shown with the number when rows are picked; without, always
 * (above the list where CSS can detect picks). Changing all matches is confirmed on its own page.
 */
export function MassBar({ list, here, isReading }: { list: ShownList; here: string; isReading: boolean }) {
  const { picked, pickAll } = usePicked();
  const hydrated = useHydrated();
  const isBusy = useNavigation().formData?.get("intent") === "setStatuses";
  // The export button above belongs to this form.
  if (list.total === 0) {
    return (
      <Form id="mass">
        <input type="hidden" name="f" value={list.f ?? ""} />
      </Form>
    );
  }
  return (
    <StickyBar
      label="Skift status på flere"
      still={picked === 0 && (hydrated || isReading)}
      className={hydrated ? undefined : "until-picked"}
    >
      <ActionForm operation="setStatuses" action={here} id="mass" autoComplete="off" className="row" preventScrollReset>
        <input type="hidden" name="f" value={list.f ?? ""} />
        <b aria-live="polite" className="hidden scripts:block min-w-16">
          {picked} valgt
        </b>
        {hydrated && picked > 0 && (
          <Button type="button" variant="plain" fit="tight" onClick={() => pickAll(false)}>
            Fravælg alle
          </Button>
        )}
        <SelectField
          name="status"
          id="mass-status"
          label="Ny status"
          choices={statusesOf(list)}
          defaultValue={AWAITING_TRIAGE}
          className="mass-status"
        />
        <Button
          name="intent"
          value="setStatuses"
          variant={picked > 0 || !hydrated ? "primary" : "outline"}
          state={isBusy ? "working" : "ready"}
          disabled={hydrated && picked === 0}
        >
          Skift status på <span className="scripts:hidden">de valgte</span>
          <span className="hidden scripts:inline">{picked}</span>
        </Button>
        <Button
          formMethod="get"
          formAction={paths.exports}
          variant="plain"
          fit="tight"
          disabled={hydrated && picked === 0}
        >
          Eksportér valgte
        </Button>
        {(!hydrated || (isAllPicked(picked) && picked < list.total)) && (
          <a
            href={paths.massChange + queryOf(here)}
            className={hydrated ? undefined : "scripts:hidden"}
            data-keep-scroll=""
          >
            {list.total === 1
              ? "Vælg den ene i filteret"
              : `Vælg alle ${list.isMore ? "over " : ""}${showCount(list.total)} i filteret`}
          </a>
        )}
      </ActionForm>
    </StickyBar>
  );
}

/** Query of the list, so that the confirmation returns to its page. */
const queryOf = (here: string) => (here.includes("?") ? here.slice(here.indexOf("?")) : "");
