import { readUploadDialog } from "~/features/referrals/images/read-images.server";
import { type PageOf, runPage, runCommand } from "~/http/runners/page.server";
import { useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { usePageTicket } from "~/http/forms/use-action-result";
import { ButtonLink } from "~/ui/forms/button";
import { DialogPage } from "~/ui/feedback/dialog";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { ScanNote, scanNotesOf } from "~/components/scan-note/scan-note";
import { RadiographLine, UnfinishedLine } from "~/components/radiograph-upload/radiograph-lines";
import { NOTHING_UNDER_WAY } from "~/components/radiograph-upload/file-list";
import { SkippedFiles, TypeForAll } from "~/components/radiograph-upload/picker";
import { UploadNotices, useUploadErrors } from "~/components/radiograph-upload/upload-status";
import { UploadPart } from "~/components/radiograph-upload/upload-part";
import { IMAGES_PAGE, useImagePages } from "~/components/referral-pages/use-image-pages";
import { Pager } from "~/ui/lists/pager";
import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { addRadiographs, setRadiographTypes } from "~/features/referrals/images/add-radiographs.server";
import { setAllRadiographTypes, setRadiographType } from "~/features/referrals/images/change-radiographs.server";
import { cancelUpload, setUploadType } from "~/features/referrals/images/upload-radiograph.server";
import { pageTitle } from "~/http/title";
import uploadStyles from "~/styles/uploads.css";

const FORM = "uploadImages";

/** Same rules and upload as step 3; files stay when the dialog is closed. */
function UploadDialog({ dialog }: { dialog: PageOf<typeof readUploadDialog> }) {
  const { referralId, images, whole, line } = dialog;
  const { form, picker, summary } = useUploadErrors(FORM, "Filerne er ikke modtaget.");
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  const pages = useImagePages(referralId);
  const scanNoteOf = scanNotesOf(images);
  const back = line ? pages.material : pages.images;
  return (
    <div id="roentgenbilleder">
      <DialogPage
        title="RØNTGENBILLEDER"
        about={`${dialog.patientName}, nr. ${referralId}${line ? ` · ${line.label}` : ""}`}
        closeTo={back}
      >
        <div className="upload-dialog">
          <ErrorSummary {...summary} />
          <div className="notices">
            <UploadNotices underWay={underWay} whole={whole} />
            {dialog.archives.map(({ id, fileName, refused }) => (
              <SkippedFiles key={id} of={fileName} files={refused} />
            ))}
          </div>
          <UploadPart
            target={{ referralId }}
            line={line}
            listedUploads={whole.uploadIds}
            unfinished={dialog.unfinished}
            archives={dialog.archives}
            inputId={picker.id}
            onUnderWay={setUnderWay}
            form={{ id: FORM, key: usePageTicket().sealed, error: picker.error }}
          />
          <ul className="file-lines" aria-label="Filer">
            {images.map((image) => (
              <RadiographLine
                key={image.id}
                carriedBy={FORM}
                image={image}
                referralId={referralId}
                scanNote={scanNoteOf(image)}
                may={image.mayRetype ? "retype" : "look"}
              />
            ))}
            {dialog.unfinished
              .filter(({ id }) => !underWay.ids.includes(id))
              .map((upload) => (
                <UnfinishedLine key={upload.id} upload={upload} />
              ))}
          </ul>
          <Pager
            page={whole.page}
            pageCount={whole.pageCount}
            href={(page) => pages.uploadTiles(page, line)}
            label="Sider med filer"
          />
          <ScanNote files={images} />
          <TypeForAll
            target={{ referralId }}
            pictures={whole.pictures + underWay.pending}
            onType={(type) => underWay.queue?.setTypes(type)}
          />
          <ActionForm
            operation="addRadiographs"
            place={FORM}
            encType="multipart/form-data"
            of={form}
            preventScrollReset
          ></ActionForm>
          {underWay.pending > 0 && (
            <p className="meta">Vinduet kan lukkes imens: overførslen fortsætter, så længe siden er åben.</p>
          )}
          <div className="row">
            <ButtonLink to={back} preventScrollReset>
              Luk
            </ButtonLink>
          </div>
        </div>
      </DialogPage>
    </div>
  );
}

export const links: LinksFunction = () => [{ rel: "stylesheet", href: uploadStyles }];

export const meta = pageTitle(({ visitId }) => `Røntgenbilleder, henvisning nr. ${visitId}`);

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(
    args,
    readUploadDialog,
    { referralId: args.params.visitId, lineId: query.get("mangler"), imagePage: query.get(IMAGES_PAGE) },
    {
      subject: ({ referralId, line }) => ({
        fields: { referralId, ...(line === null ? {} : { materialLineId: line.id }) },
      }),
    },
  );
};

export const uploads = [addRadiographs];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    addRadiographs,
    setRadiographType,
    setRadiographTypes,
    setAllRadiographTypes,
    setUploadType,
    cancelUpload,
  });

export default function UploadImages() {
  return <UploadDialog dialog={useLoaderData<typeof loader>()} />;
}
