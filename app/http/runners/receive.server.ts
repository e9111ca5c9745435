import type { ActionFunctionArgs } from "@remix-run/node";
import { execute, type InputReader, type Operation } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Portal } from "~/portal.server";
import { refusals } from "~/http/errors";

const MAX_BYTES = 64 * 1024;

type Unreadable = "forged" | "stale" | "unreadable";

export interface Receiver {
  channel: string;
  /** Reads a request after checking its signature over the raw bytes; absent without a secret. */
  readerOf(portal: Portal): ((body: Buffer, headers: Headers, now: Date) => object | Unreadable) | undefined;
  operation: Operation<any, unknown>;
}

/**
 * Action of a webhook. Events pass through `execute()`, so refusals are audited. Answers are bare: 204 or a status;
 * anything but 2xx makes the provider repeat.
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
    // `countRefusals` counts a too long body by its status.
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

/** Raw body as signed; null if longer than any event. `limitBody` has refused far longer ones. */
async function readBody(request: Request): Promise<Buffer | null> {
  const body = Buffer.from(await request.arrayBuffer());
  return body.length > MAX_BYTES ? null : body;
}
