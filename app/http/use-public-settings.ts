import { useRouteLoaderData } from "@remix-run/react";
import type { readPublicSettings } from "~/features/accounts/read-public-settings.server";

type PublicSettings = Awaited<ReturnType<typeof readPublicSettings.perform>>;

/** Names and contacts that the root's loader read; undefined only where the root itself failed. */
export const usePublicSettings = () => useRouteLoaderData<PublicSettings>("root");
