import { createRequestHandler, type RequestHandler } from "@remix-run/express";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import type { Response } from "express";

type Routes = ServerBuild["routes"];

/**
 * Remix as an Express handler. Remix flattens and ranks all routes of its build for each match, three times a page
 * (docs/decisions/0120), so a request is handled by a build with only the routes that can match its address. Which of
 * them matches is left to Remix.
 */
export function createPageHandler(build: ServerBuild, mode: string): RequestHandler {
  const handlerOf = (routes: Routes) =>
    createRequestHandler({
      // React's tree is made of the assets' routes; the browser reads its own manifest, with all routes, from a file.
      build: { ...build, routes, assets: { ...build.assets, routes: pick(build.assets.routes, routes) } },
      mode,
      getLoadContext: (_request: unknown, response: Response) => response.locals.context as AppLoadContext,
    });
  const whole = handlerOf(build.routes);
  const handlerAt = byLongestStart(
    new Map([...routesByStart(build.routes)].map(([start, routes]) => [start, handlerOf(routes)])),
  );
  return (request, response, next) => (handlerAt(request.path) ?? whole)(request, response, next);
}

/**
 * The routes that can match an address, by the segments that it begins with: those whose own static segments, up to
 * their first parameter, are such a beginning. In the order of `routes`, which decides between equal ones.
 */
export function routesByStart(routes: Routes): Map<string, Routes> {
  const starts = new Map(Object.keys(routes).map((id) => [id, startOf(routes, id)]));
  const routesAt = (start: string) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => `${start}/`.startsWith(`${starts.get(id)!}/`)));
  return new Map([...new Set(starts.values())].map((start) => [start, routesAt(start)]));
}

/**
 * What belongs to the longest beginning of an address; nothing for one with encoded characters, which Remix decodes
 * before it matches.
 */
export function byLongestStart<T>(byStart: ReadonlyMap<string, T>): (path: string) => T | undefined {
  const depth = Math.max(...[...byStart.keys()].map((start) => start.split("/").length));
  return (path) => {
    if (path.includes("%")) return undefined;
    // Cut at the deepest start, so that a hostile address of thousands of segments costs no more.
    const segments = path.toLowerCase().split("/", depth);
    while (segments.length > 1 && !byStart.has(segments.join("/"))) segments.pop();
    return byStart.get(segments.join("/"));
  };
}

function startOf(routes: Routes, id: string): string {
  const segments = patternOf(routes, id).split("/");
  const parameter = segments.findIndex((segment) => /[:*?]/.test(segment));
  return (parameter === -1 ? segments : segments.slice(0, parameter)).join("/").toLowerCase();
}

function patternOf(routes: Routes, id: string): string {
  const { parentId, path } = routes[id]!;
  const parent = parentId === undefined ? "" : patternOf(routes, parentId);
  return path ? `${parent}/${path}` : parent;
}

function pick<T>(all: Record<string, T>, like: Routes): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => id in like));
}
