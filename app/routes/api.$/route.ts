import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { runApi } from "~/http/api/api.server";

export const loader = (args: LoaderFunctionArgs) => runApi(args);
export const action = (args: ActionFunctionArgs) => runApi(args);
