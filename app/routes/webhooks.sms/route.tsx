import type { ActionFunctionArgs } from "@remix-run/node";
import { smsWebhook } from "~/features/delivery/receive-reports.server";
import { runReceive } from "~/http/runners/receive.server";

export const action = (args: ActionFunctionArgs) => runReceive(args, smsWebhook);
