import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { ShortcutKeys } from "~/components/shortcuts/shortcut-keys";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { FormPart } from "~/ui/layout/page";

export function ShortcutsForm({ isOn }: { isOn: boolean }) {
  const state = useButtonState("chooseShortcuts");
  return (
    <ActionForm operation="chooseShortcuts" className="panel panel-body">
      <FormPart title="GENVEJSTASTER" hint="I oversigten og den åbne henvisning, når der ikke skrives i et felt.">
        <ShortcutKeys />
        <Checkbox name="shortcuts" value="on" defaultChecked={isOn} label="Brug genvejstaster" />
        <div>
          <Button name="intent" value="chooseShortcuts" state={state}>
            Gem genvejstaster
          </Button>
        </div>
      </FormPart>
    </ActionForm>
  );
}
