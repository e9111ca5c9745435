import { ActionForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { useBusy } from "~/http/forms/use-busy";
import { Button } from "~/ui/forms/button";

export function ExportTools({ here }: { here: string }) {
  const isBusy = useBusy("runEdiImport") === "working";
  return (
    <>
      <ActionForm operation="runEdiImport" action={here} preventScrollReset className="inline-block">
        <Button name="intent" value="runEdiImport" variant="plain" fit="tight" aria-disabled={isBusy || undefined}>
          EDI import
        </Button>
      </ActionForm>
      <Button form="mass" formMethod="get" formAction={paths.exports} variant="plain" fit="tight">
        Eksport
      </Button>
    </>
  );
}
