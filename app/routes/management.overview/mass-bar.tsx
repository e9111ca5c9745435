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
 * The bar of the mass update, at the foot of the page. With JavaScript it stands when something is chosen and says
 * how many; without, it says no number, and stands over the list where the browser can tell that something is chosen, else below it. All that match the filter,
 * offered once a whole page is chosen, are asked about on a page of their own.
 */
export function MassBar({ list, here, isReading }: { list: ShownList; here: string; isReading: boolean }) {
  const { picked, pickAll } = usePicked();
  const hydrated = useHydrated();
  const isBusy = useNavigation().formData?.get("intent") === "setStatuses";
  // 'Eksport' above the list is this form's too.
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

/** The query of the list's address, so that the question returns to the same page of it. */
const queryOf = (here: string) => (here.includes("?") ? here.slice(here.indexOf("?")) : "");
