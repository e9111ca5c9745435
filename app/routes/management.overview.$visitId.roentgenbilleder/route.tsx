import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { addRadiographs, setRadiographTypes } from "~/features/referrals/images/add-radiographs.server";
import { setRadiographType } from "~/features/referrals/images/change-radiographs.server";
import { setAllRadiographTypes } from "~/features/referrals/images/set-all-types.server";
import { readUploadDialog } from "~/features/referrals/images/read-images.server";
import { cancelUpload, setUploadType } from "~/features/referrals/images/upload-radiograph.server";
import { runCommand } from "~/http/runners/command.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { afterChanges } from "~/http/forms/revalidation";
import { pageTitle } from "~/http/title";
import uploadStyles from "~/styles/uploads.css";
import { UploadDialog } from "./upload-dialog";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: uploadStyles }];

export const meta = pageTitle(({ visitId }) => `Røntgenbilleder, henvisning nr. ${visitId}`);

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readUploadDialog,
    { referralId: args.params.visitId, lineId: new URL(args.request.url).searchParams.get("mangler") },
    {
      subject: ({ referralId, line }) => ({
        fields: { referralId, ...(line === null ? {} : { materialLineId: line.id }) },
      }),
    },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

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
