import { isRouteErrorResponse, type MetaFunction } from "@remix-run/react";
import { errorTitle } from "~/ui/feedback/error-page";

/** Page title: product name, then the page's own, with the subject's number or the failure. */
export function pageTitle(
  title?: string | ((params: Record<string, string | undefined>, query: URLSearchParams) => string),
): MetaFunction {
  return ({ matches, params, location, error }) => {
    const settings = matches.find((match) => match.id === "root")?.data as { productName?: string } | undefined;
    const product = settings?.productName ?? "Henvisningsportalen";
    const failed = error ? errorTitle(isRouteErrorResponse(error) ? error.status : 500) : undefined;
    const own = failed ?? (typeof title === "function" ? title(params, new URLSearchParams(location.search)) : title);
    return [{ title: own ? `${product} - ${own}` : product }];
  };
}
