import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadImportTemplate } from "~/features/directory-import/import-directory.server";
import { runDownload } from "~/http/runners/download.server";
import { paths } from "~/paths";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(
    args,
    downloadImportTemplate,
    { kind: new URL(args.request.url).searchParams.get("type") },
    { goBack: { href: paths.directoryImport, text: "Til importen" } },
  );
