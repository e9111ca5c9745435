import { useRouteLoaderData } from "@remix-run/react";
import type { ResultOf } from "~/access/operation.server";
import type { readPublicSettings } from "~/features/accounts/operations.server";

type PublicSettings = ResultOf<typeof readPublicSettings>;

export const usePublicSettings = () => useRouteLoaderData<PublicSettings>("root");
