import type { MetaFunction } from "@remix-run/node";

/**
 * A page's title: every one starts with the product's name; without a name of its own it is that alone (specification 3 §2, Route
 * table).
 */
export function pageTitle(title?: string): MetaFunction {
  return ({ matches }) => {
    const settings = matches.find((match) => match.id === "root")?.data as { productName?: string } | undefined;
    const product = settings?.productName ?? "Henvisningsportalen";
    return [{ title: title ? `${product} - ${title}` : product }];
  };
}
