import { ActionForm } from "~/http/forms/action-form";
import type { Here } from "~/components/directory-list/directory-list";
import { useFormErrors } from "~/http/forms/use-action-result";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";

export interface ShownMerge {
  id: number;
  text: string;
  undone: string | null;
  left: string[];
  mayUndo: boolean;
}

export function MergeHistory({ merges, here }: { merges: ShownMerge[]; here: Here }) {
  const errors = useFormErrors("undoMerge");
  if (merges.length === 0) return null;
  return (
    <section className="mt-4" aria-labelledby="fusioneringer">
      <h3 id="fusioneringer" className="mb-2">
        Fusioneringer
      </h3>
      {errors.length > 0 && (
        <Notice kind="error" live>
          {errors.join(" ")}
        </Notice>
      )}
      <ul className="divide-y divide-line">
        {merges.map((merge) => (
          <li key={merge.id} className="py-2">
            <p className="break-anywhere">{merge.text}</p>
            {merge.undone && <p className="meta">{merge.undone}</p>}
            {merge.left.length > 0 && (
              <>
                <p className="meta mt-1">Ændret siden, og derfor ikke flyttet tilbage:</p>
                <ul className="meta list-disc pl-5">
                  {merge.left.map((line) => (
                    <li key={line} className="break-anywhere">
                      {line}
                    </li>
                  ))}
                </ul>
              </>
            )}
            {merge.mayUndo && (
              <ActionForm
                operation="undoMerge"
                item={`runId:${merge.id}`}
                showsErrors
                action={here({})}
                preventScrollReset
                className="mt-1"
              >
                <Button name="intent" value="undoMerge" size="small" icon="undo">
                  Fortryd fusioneringen
                </Button>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
