import { isRouteErrorResponse, type MetaFunction } from "@remix-run/react";
import { errorTitle } from "~/ui/error-page";

/**
 * A page's title: every one starts with the product's name; without a name of its own it is that alone (specification 3 §2, Route
 * table). Where the page failed, it says how.
 */
export function pageTitle(title?: string): MetaFunction {
  return ({ matches, error }) => {
    const settings = matches.find((match) => match.id === "root")?.data as { productName?: string } | undefined;
    const product = settings?.productName ?? "Henvisningsportalen";
    const failed = error ? errorTitle(isRouteErrorResponse(error) ? error.status : 500) : undefined;
    const own = failed ?? title;
    return [{ title: own ? `${product} - ${own}` : product }];
  };
}
