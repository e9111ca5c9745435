import { json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import type { AccountGroup } from "~/access/actor";
import type { Caller, CommandResult } from "~/access/caller";
import { hostCookie, appendSession } from "~/access/authenticator.server";
import { execute, plainInput } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import {
  beginExternalSignIn,
  endExternalSession,
  finishExternalSignIn,
} from "~/features/accounts/external-sign-in.server";
import { headersOf, refusals } from "~/http/errors";
import { accountGroupSlugs, externalSignInPath, paths } from "~/paths";
import type { Portal } from "~/portal.server";

/** Values that must be equal when the person comes back, sealed in the browser that began. */
const roundCookie = (secure: boolean) => hostCookie("sign-in-round", secure);

const ROUND_SECONDS = 10 * 60;

const endRound = (secure: boolean): Promise<string> => roundCookie(secure).serialize("", { maxAge: 0 });

interface Options {
  portal: Portal;
  caller: Caller;
  secure: boolean;
  group: AccountGroup;
}

/**
 * OpenID Connect as remix-auth's strategy: the first request is redirected to the provider, and the one that comes back
 * from it is verified. Throws the redirect, and what the operations throw.
 */
class IdentityProviderStrategy extends Strategy<CommandResult, { answer: string; round: string }> {
  override name = "identity-provider";
  constructor(private readonly options: Options) {
    const { portal, caller, group } = options;
    super((given) => execute(portal, caller, finishExternalSignIn, plainInput({ group, ...given })));
  }

  /** This site's return address, exactly as it is registered at the provider. */
  returnAddress(request: Request): string {
    const { portal, caller, group } = this.options;
    const { adminOrigin, publicOrigin } = portal.config;
    const own = caller.site === "staff" ? adminOrigin : caller.site === "public" ? publicOrigin : null;
    return (own ?? new URL(request.url).origin) + externalSignInPath(group);
  }

  override async authenticate(request: Request): Promise<CommandResult> {
    const { portal, caller, group, secure } = this.options;
    const { searchParams, search } = new URL(request.url);
    const address = this.returnAddress(request);
    if (searchParams.has("code") || searchParams.has("error")) {
      const round: unknown = await roundCookie(secure).parse(request.headers.get("Cookie"));
      return this.verify({ answer: address + search, round: typeof round === "string" ? round : "" });
    }
    const begun = await execute(
      portal,
      caller,
      beginExternalSignIn,
      plainInput({
        group,
        returnAddress: address,
        to: searchParams.get("to"),
        link: searchParams.get("tilknyt"),
      }),
    );
    const cookie = await roundCookie(secure).serialize(begun.round, { maxAge: ROUND_SECONDS });
    throw redirect(begun.address, { headers: { "Set-Cookie": cookie, "Cache-Control": "no-store" } });
  }
}

/** The user whom the page asks about before the first binding. */
interface ShownBinding {
  step: string;
  name: string;
  userName: string;
}

/** Other sites may link here, but not use it as a picture, a frame or a script. Throws `notInScope`. */
function refuseForeignUse(headers: Headers): void {
  const [use, site] = [headers.get("Sec-Fetch-Dest"), headers.get("Sec-Fetch-Site")];
  if (use !== null && use !== "document" && site !== "same-origin") throw new Refusal("notInScope");
}

const groups: AccountGroup[] = ["staff", "referrers"];

/**
 * A loader: redirects to the identity provider of the group in the address, signs in who comes back, and with `ud` ends
 * the session at the provider. Otherwise the page asks for our second factor (`step`), whom the account is bound to (`binding`), or says why nobody is signed in.
 */
export async function runExternalSignIn({ request, params, context }: LoaderFunctionArgs) {
  const { portal, secure } = context;
  const caller = await context.caller();
  const headers = new Headers({ "Cache-Control": "private, no-store" });
  try {
    const group = groups.find((each) => accountGroupSlugs[each] === params.gruppe);
    if (group === undefined) throw new Refusal("notInScope");
    refuseForeignUse(request.headers);
    const strategy = new IdentityProviderStrategy({ portal, caller, secure, group });
    if (new URL(request.url).searchParams.has("ud")) {
      const returnAddress = new URL(paths.login, strategy.returnAddress(request)).href;
      throw redirect((await execute(portal, caller, endExternalSession, plainInput({ group, returnAddress }))).address);
    }
    const done = await new Authenticator<CommandResult>().use(strategy).authenticate(strategy.name, request);
    headers.append("Set-Cookie", await endRound(secure));
    if (typeof done.data?.step === "string")
      return json({ step: done.data.step, binding: null, failure: null }, { headers });
    const binding = done.data?.binding as ShownBinding | undefined;
    if (binding) return json({ step: null, binding, failure: null }, { headers });
    await appendSession(headers, done.session, secure);
    throw redirect(done.to ?? paths.overview, { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, text } = refusals[error.name];
    for (const [name, value] of Object.entries(headersOf(error))) headers.set(name, value);
    return json({ step: null, binding: null, failure: error.text ?? text }, { status, headers });
  }
}
