import { useRouteLoaderData } from "@remix-run/react";
import type { ResultOf } from "~/access/operation.server";
import type { readPublicSettings } from "~/features/accounts/read-public-settings.server";

type PublicSettings = ResultOf<typeof readPublicSettings>;

/** Names and contacts that the root's loader read; undefined only where the root itself failed. */
export const usePublicSettings = () => useRouteLoaderData<PublicSettings>("root");
