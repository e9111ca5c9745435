import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { askDeleteRadiograph, deleteRadiograph } from "~/features/referrals/images/operations.server";
import { arrivalText } from "~/features/referrals/images/image-texts";
import { nameOfImage } from "~/features/referrals/images/series";
import { radiographTypeLabel } from "~/files/file-rules";
import { ActionForm, IntentButton } from "~/http/forms/action-form";
import { useFormErrors } from "~/http/forms/use-action-result";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { filePaths } from "~/features/referrals/file-paths";
import { openedWith } from "~/text/control-values";
import { DialogPage } from "~/ui/feedback/dialog";
import { ErrorNotice } from "~/ui/feedback/notice";
import { ButtonLink } from "~/ui/forms/button";

const presentImage = ({ type, ...image }: SerializeFrom<typeof loader>) => ({
  ...image,
  typeLabel: radiographTypeLabel(type),
  arrival: arrivalText(image),
});

export const meta = pageTitle(({ visitId }) => `Slet billede, henvisning nr. ${visitId}`);

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    askDeleteRadiograph,
    { referralId: args.params.visitId, fileId: args.params.fileId },
    { subject: ({ referralId, fileId }) => ({ fields: { referralId, fileId } }) },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { deleteRadiograph });

export default function DeleteImage() {
  const { referralId, fileId, sees, patientName, typeLabel, arrival, purgeDays, ...image } =
    presentImage(useLoaderData<typeof loader>());
  const isSeries = image.slices > 1;
  const pages = useImagePages(referralId);
  const formErrors = useFormErrors("deleteRadiograph");
  return (
    <div id="slet">
      <DialogPage
        title={isSeries ? "Slet CBCT-serien?" : "Slet billedet?"}
        about={`${patientName}, nr. ${referralId}`}
        closeTo={pages.images}
      >
        <div className="stack-s">
          <ErrorNotice texts={formErrors} />
          <div className="row">
            <img src={filePaths.referralPreview(referralId, fileId, "thumb")} alt="" width={160} height={120} />
            <p>
              <b>{nameOfImage(image)}</b>
              <br />
              {typeLabel} · {arrival}
            </p>
          </div>
          <p className="meta">
            {isSeries
              ? "Ingen af snittene kan ses mere, når serien er slettet. Det kan"
              : "Billedet kan ikke ses mere, når det er slettet. Det kan"}{" "}
            fortrydes i {purgeDays} dage og fjernes så helt.
          </p>
          <ActionForm
            operation="deleteRadiograph"
            opened={openedWith(sees)}
            showsErrors
            className="row"
            preventScrollReset
          >
            <input type="hidden" name="to" value={pages.referral} />
            <IntentButton value="deleteRadiograph" variant="danger" icon="delete">
              {isSeries ? "Slet CBCT-serien" : "Slet billedet"}
            </IntentButton>
            <ButtonLink to={pages.images} preventScrollReset variant="plain">
              Annuller
            </ButtonLink>
          </ActionForm>
        </div>
      </DialogPage>
    </div>
  );
}
