import type { ActionFunctionArgs } from "@remix-run/node";
import { execute, type InputReader, type Operation } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Portal } from "~/portal.server";
import { refusals } from "~/http/errors";

/** Far more than any event of a provider. */
const MAX_BYTES = 64 * 1024;

/** Why a request to a webhook is refused: forged, too old, or of an unknown shape. */
type Unreadable = "forged" | "stale" | "unreadable";

/** A webhook: its reader and its operation. */
export interface Receiver {
  channel: string;
  /** Reads a request; absent while the webhook has no secret. It checks the signature over the raw bytes before parsing them. */
  readerOf(portal: Portal): ((body: Buffer, headers: Headers, now: Date) => object | Unreadable) | undefined;
  operation: Operation<any, unknown>;
}

/**
 * The action of a webhook. A provider's event passes through `execute()` like any input; an unverified request is refused
 * there, and so stands in the audit. The answers are bare: 204, or the status of what was wrong. Anything but 2xx makes the provider repeat the event.
 */
export async function runReceive(
  { request, context }: ActionFunctionArgs,
  { channel, readerOf, operation }: Receiver,
): Promise<Response> {
  const { portal, site, address } = context;
  const reader = readerOf(portal);
  if (!reader) return answer(404);
  const body = await readBody(request);
  const refuse = (reason: Unreadable | "tooLarge", status: number) => {
    portal.metrics.webhookRefused.inc({ channel, reason });
    // A long body is counted by its status.
    if (reason !== "tooLarge") portal.doorRefusals.count("webhook", address);
    return answer(status);
  };
  if (body === null) return refuse("tooLarge", 413);
  let reason: Unreadable | undefined;
  const input: InputReader = (schema) => {
    const event = reader(body, request.headers, portal.clock.now());
    if (typeof event === "string") {
      reason = event;
      throw new Refusal(event === "unreadable" ? "invalid" : "notAllowed");
    }
    return schema.parse(event);
  };
  try {
    await execute(
      portal,
      { actor: { kind: "system", job: `webhook ${channel}` }, site, address, sessionId: null },
      operation,
      input,
    );
    return answer(204);
  } catch (error) {
    if (error instanceof Refusal) return refuse(reason ?? "unreadable", refusals[error.name].status);
    portal.log.error({ err: error, operation: operation.name }, "webhook failed");
    return answer(500);
  }
}

const answer = (status: number) => new Response(null, { status, headers: { "Cache-Control": "no-store" } });

/** The raw bytes of the body, as they were signed; null when there are more than a provider would send. `limitBody` has refused what is far longer. */
async function readBody(request: Request): Promise<Buffer | null> {
  const body = Buffer.from(await request.arrayBuffer());
  return body.length > MAX_BYTES ? null : body;
}
