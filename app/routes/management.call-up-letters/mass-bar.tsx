import { Form } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { usePicked } from "~/components/picked-rows/use-picked";
import { callUpWays } from "~/features/patient-messages/ways";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { StickyBar } from "~/ui/layout/page-frame";

/** Calls up picked patients by one channel, with a preview. With JavaScript shown once somebody is picked. */
export function MassBar({ isReading }: { isReading: boolean }) {
  const { picked } = usePicked();
  const isHydrated = useHydrated();
  if (isHydrated ? picked === 0 : isReading) return <Form id="mass" />;
  return (
    <StickyBar label="Indkald de valgte" still={!isHydrated} className={isHydrated ? undefined : "scripts:hidden"}>
      <ActionForm id="mass" autoComplete="off" operation="askCallUps" action={paths.callUps} className="row">
        {isHydrated && <b>{picked === 1 ? "1 valgt" : `${picked} valgte`}</b>}
        <SelectField
          name="incallType"
          id="mass-type"
          label="Send som"
          labelHidden
          choices={callUpWays}
          defaultValue="3"
        />
        <Button name="intent" value="askCallUps" icon="call-up" size="compact">
          Indkald de valgte …
        </Button>
      </ActionForm>
    </StickyBar>
  );
}

export function QueuedNotice({ ids, withdrawable }: { ids: readonly number[]; withdrawable: number }) {
  return (
    <Notice
      kind="success"
      live
      action={
        withdrawable > 0 && (
          <ActionForm operation="withdrawCallUps" action={paths.callUps}>
            <input type="hidden" name="nr" value={ids.join("-")} />
            <Button name="intent" value="withdrawCallUps" size="small" icon="undo">
              Fortryd
            </Button>
          </ActionForm>
        )
      }
    >
      {ids.length === 1 ? "1 indkaldelse er sat i kø." : `${ids.length} indkaldelser er sat i kø.`}
      {withdrawable < ids.length &&
        (withdrawable === 0 ? " De kan ikke fortrydes længere." : ` ${withdrawable} kan fortrydes endnu.`)}
    </Notice>
  );
}
