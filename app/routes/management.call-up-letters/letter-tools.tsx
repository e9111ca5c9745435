import { useLocation } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";

interface LetterToolsProps {
  letters: { waiting: number; liveBatches: number };
}

export function LetterTools({ letters: { waiting, liveBatches } }: LetterToolsProps) {
  const { pathname } = useLocation();
  const isOpen = pathname === paths.letterArchive;
  const state = useButtonState("makeLetterBatch");
  return (
    <div className="row !ml-0">
      <ActionForm operation="makeLetterBatch" action={paths.callUps}>
        <Button name="intent" value="makeLetterBatch" size="small" icon="print" state={state} disabled={waiting === 0}>
          Dan brevbunke nu ({waiting})
        </Button>
      </ActionForm>
      <ButtonLink
        to={isOpen ? paths.callUps : paths.letterArchive}
        variant="plain"
        size="small"
        icon="table"
        iconAfter={isOpen ? "up" : "down"}
        aria-expanded={isOpen}
      >
        {liveBatches === 0 ? "Arkiv" : `Arkiv (${liveBatches} ikke udskrevet)`}
      </ButtonLink>
    </div>
  );
}
