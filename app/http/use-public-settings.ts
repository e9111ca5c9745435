import { useRouteLoaderData } from "@remix-run/react";
import type { ResultOf } from "~/access/operation.server";
import type { readPublicSettings } from "~/features/accounts/operations.server";

type PublicSettings = ResultOf<typeof readPublicSettings>;

/** Names and contacts from the root loader; undefined only if that failed. */
export const usePublicSettings = () => useRouteLoaderData<PublicSettings>("root");
