import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";

/** The way to the export, with the list's filter and what is picked in it: both are the mass form's. */
export function ExportTools() {
  return (
    <Button form="mass" formMethod="get" formAction={paths.exports} variant="plain">
      Eksport
    </Button>
  );
}
