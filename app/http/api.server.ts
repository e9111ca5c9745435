import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { refusals } from "./errors";

/** A loader that scripts call: JSON for the answer and for every refusal, and never a redirect to sign-in. */
export async function runApi<I, O>(args: LoaderFunctionArgs, operation: Operation<I, O>, raw: unknown = {}): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  try {
    const answer = await execute(args.context.portal, await args.context.caller(), operation, plainInput(raw));
    return json(answer, { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, text } = refusals[error.name];
    return json({ message: error.text ?? text, errors: error.fields }, { status, headers });
  }
}
