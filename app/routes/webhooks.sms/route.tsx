import type { ActionFunctionArgs } from "@remix-run/node";
import { smsWebhook } from "~/features/delivery/receive-sms.server";
import { runReceive } from "~/http/receive.server";

export const action = (args: ActionFunctionArgs) => runReceive(args, smsWebhook);
