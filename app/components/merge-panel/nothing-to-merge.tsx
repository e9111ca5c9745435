import { Notice } from "~/ui/feedback/notice";
import { ButtonLink } from "~/ui/forms/button";

export function NothingToMerge({ closeTo }: { closeTo: string }) {
  return (
    <Notice
      kind="warn"
      className="mb-4"
      action={
        <ButtonLink to={closeTo} variant="plain" size="small">
          Luk
        </ButtonLink>
      }
    >
      Vælg mindst to i listen, der kan fusioneres: de må ikke være samlet med en anden allerede, og brugere skal have en
      klinik til fælles.
    </Notice>
  );
}
