import { ActionForm } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useImagePages } from "~/components/referral-pages/use-image-pages";

export function DeletedFiles({ referral: { id: referralId, deletedFiles } }: { referral: OpenReferral }) {
  const pages = useImagePages(referralId);
  if (deletedFiles.length === 0) return null;
  return (
    <Disclosure
      title={deletedFiles.length === 1 ? "1 slettet fil" : `${deletedFiles.length} slettede filer`}
      note="Vis"
      id="slettede-filer"
      line
    >
      <ul className="divide-y divide-line [&>li]:py-2">
        {deletedFiles.map((file) => (
          <li key={file.id}>
            <span className="mr-2">{file.name}</span>{" "}
            <span className="meta mr-2">
              {file.kindLabel} · slettet {file.deletedOn} · kan hentes tilbage til og med {file.lastDay}
            </span>{" "}
            <ActionForm
              operation="restoreFile"
              item={`fileId:${file.id}`}
              showsErrors
              action={pages.referral}
              preventScrollReset
            >
              <input type="hidden" name="to" value={pages.referral} />
              <Button
                name="intent"
                value="restoreFile"
                size="small"
                icon="undo"
                aria-label={`Fortryd sletningen af ${file.name}`}
              >
                Fortryd
              </Button>
            </ActionForm>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
