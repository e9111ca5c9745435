import { createRequestHandler, type RequestHandler } from "@remix-run/express";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import type { Response } from "express";

type Routes = ServerBuild["routes"];

/**
 * Remix for Express. Remix matches all routes of its build four times per page; an address without parameters gets a
 * handler that knows only its own routes. The browser's route list stays complete.
 */
export function createPageHandler(build: ServerBuild, mode: string): RequestHandler {
  const handlerOf = (routes: Routes) => {
    const assets = { ...build.assets, routes: pick(build.assets.routes, routes) };
    const getLoadContext = (_request: unknown, response: Response) => response.locals.context as AppLoadContext;
    return createRequestHandler({ build: { ...build, routes, assets }, mode, getLoadContext });
  };
  const whole = handlerOf(build.routes);
  const fixed = new Map([...routesByAddress(build.routes)].map(([address, routes]) => [address, handlerOf(routes)]));
  return (request, response, next) => (fixed.get(request.path) ?? whole)(request, response, next);
}

/** Routes of each address without parameters: leaf, index, and parents. */
function routesByAddress(routes: Routes): Map<string, Routes> {
  const found = new Map<string, Routes>();
  for (const route of Object.values(routes)) {
    const branch = [route];
    while (branch[0]!.parentId !== undefined) branch.unshift(routes[branch[0]!.parentId!]!);
    const address = `/${branch.flatMap(({ path }) => path || []).join("/")}`;
    if (/[:*?]/.test(address)) continue;
    found.set(address, { ...found.get(address), ...Object.fromEntries(branch.map((each) => [each.id, each])) });
  }
  return found;
}

function pick<T>(all: Record<string, T>, like: Routes): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => id in like));
}
