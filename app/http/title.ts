import { isRouteErrorResponse, type MetaFunction } from "@remix-run/react";
import { errorTitle } from "~/ui/feedback/error-page";

/**
 * A page's title: every one starts with the product's name; without a name of its own it is that alone.
 * A page that shows one thing names it by its address, such as a referral's number. Where the page failed, it says how.
 */
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
