import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToMessageText } from "~/features/message-settings/read-message-text.server";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToMessageText);

export { clientLoader } from "~/http/forms/client-page";

/** Never rendered: the loader redirects. */
export default function Nowhere() {
  return null;
}
