import { Link } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useFormErrors } from "~/http/forms/use-action-result";
import { DECLINED_TEXT } from "~/features/discharge-letters/letter-rules";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { LetterPart } from "./letter-part";
import { SavedBox } from "./saved-box";
import type { ShownLetters } from "./present-letters";

interface LettersPanelProps {
  letters: ShownLetters;
  here: string;
  /** Address of the confirmation before a letter is deleted. */
  deleteTo(letterNumber: number): string;
  isNarrow?: boolean;
}

/** A referral's discharge letters, newest first; staff also get the actions. */
export function LettersPanel({ letters: shown, here, deleteTo, isNarrow = false }: LettersPanelProps) {
  const { referralId, letters, manage } = shown;
  return (
    <div className={isNarrow ? undefined : "table:-mx-2"}>
      <LettersAnswer referralId={referralId} />
      {manage?.error && letters.length > 0 && <Notice kind="warn">{manage.error}</Notice>}
      {letters.length === 0 && <p className="meta">Ingen data...</p>}
      <ul className="divide-y divide-line">
        {letters.map((letter) => (
          <LetterPart
            key={letter.number}
            letter={letter}
            of={shown}
            here={here}
            deleteTo={deleteTo}
            isNarrow={isNarrow}
          />
        ))}
      </ul>
      <div className={isNarrow ? "row mt-2" : "row mt-2 px-2 pt-2 border-t border-line"}>
        {manage && <LettersFoot of={shown} here={here} />}
        {!isNarrow && (
          <span className="push">
            <Link to={paths.referral(referralId)} className="inline-flex items-center whitespace-nowrap">
              Åbn henvisning nr. {referralId} <Icon name="next" size={18} className="ml-1.5" />
            </Link>
          </span>
        )}
      </div>
    </div>
  );
}

function LettersAnswer({ referralId }: { referralId: number }) {
  const errors = useFormErrors(`letters-${referralId}`);
  return errors.length === 0 ? null : (
    <Notice kind="error" live>
      {errors.join(" ")}
    </Notice>
  );
}

function LettersFoot({ of: { referralId, isDeclined }, here }: { of: ShownLetters; here: string }) {
  const formId = `letters-${referralId}`;
  return (
    <>
      <ActionForm operation="beginLetter" place={formId} showsErrors action={here} preventScrollReset>
        <Button
          name="intent"
          value="beginLetter"
          icon="plus"
          size="compact"
          state={useButtonState("beginLetter", formId) === "working" ? "working" : "ready"}
        >
          Nyt brev
        </Button>
      </ActionForm>
      <SavedBox
        here={here}
        intent="declineLetters"
        place={formId}
        name="declined"
        label={DECLINED_TEXT}
        isOn={isDeclined}
      />
    </>
  );
}
