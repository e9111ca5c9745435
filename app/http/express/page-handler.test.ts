// @module-tag node
import { resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { describe, expect, test } from "vitest";
import { byLongestStart, routesByStart } from "./page-handler.server";

type Routes = ServerBuild["routes"];
type Tree = NonNullable<Parameters<typeof matchRoutes>[0]>;

const root = { root: { id: "root", path: "" } };
const ofThePortal = {
  ...root,
  ...flatRoutes(resolve("app"), ["**/.*", "**/*.test.{ts,tsx}"]),
} as unknown as Routes;
const withEveryKind = {
  ...root,
  index: { id: "index", parentId: "root", index: true },
  anything: { id: "anything", parentId: "root", path: "*" },
  language: { id: "language", parentId: "root", path: ":language/about" },
  optional: { id: "optional", parentId: "root", path: "shop/cart?/pay" },
  layout: { id: "layout", parentId: "root" },
  inLayout: { id: "inLayout", parentId: "layout", path: "Shop/items" },
  item: { id: "item", parentId: "inLayout", path: ":itemId" },
  newItem: { id: "newItem", parentId: "inLayout", path: "new" },
  image: { id: "image", parentId: "item", path: "image.png" },
  others: { id: "others", parentId: "item", path: "*" },
} as unknown as Routes;

function treeOf(routes: Routes, parentId?: string): Tree {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, index, path }) => (index ? { id, index, path } : { id, path, children: treeOf(routes, id) }));
}

const matchIn = (tree: Tree, address: string) =>
  matchRoutes(tree, address)?.map(({ route, params, pathname }) => ({ id: route.id, params, pathname })) ?? null;

/** Addresses of each route, and others near them. */
function addressesOf(routes: Routes): string[] {
  const patternOf = (id: string): string => {
    const { parentId, path } = routes[id]!;
    return (parentId === undefined ? "" : patternOf(parentId)) + (path ? `/${path}` : "");
  };
  return Object.keys(routes).flatMap((id) => {
    const address = patternOf(id).replaceAll("?", "").replaceAll(/:\w+/g, "17").replace("*", "any/thing") || "/";
    const above = address.slice(0, address.lastIndexOf("/")) || "/";
    return [address, above, `${address}/`, `${address}/unknown`, `${address}x`, address.toUpperCase()];
  });
}

describe.each([
  ["the portal's routes", ofThePortal],
  ["routes of every kind", withEveryKind],
])("%s", (_, routes) => {
  const whole = treeOf(routes);
  const routesAt = byLongestStart(routesByStart(routes));

  test("an address matches the same route among those of its start as among all", () => {
    for (const address of addressesOf(routes))
      expect([address, matchIn(treeOf(routesAt(address)!), address)]).toEqual([address, matchIn(whole, address)]);
  });

  test("an unknown address has the root, which shows the error", () => {
    for (const address of ["/", "/unknown", "/unknown/below", "//", ""])
      expect(routesAt(address)).toHaveProperty("root");
  });

  test("an address with encoded characters is left to all routes", () => {
    expect(routesAt("/sh%6fp/items")).toBeUndefined();
  });
});

test("no address of the portal has more than a fifth of its routes to choose from", () => {
  const routesAt = byLongestStart(routesByStart(ofThePortal));
  const most = Math.max(...addressesOf(ofThePortal).map((address) => Object.keys(routesAt(address)!).length));
  expect(most).toBeLessThan(Object.keys(ofThePortal).length / 5);
});
