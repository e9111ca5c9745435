import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration, type KoaContextWithOIDC } from "oidc-provider";

export const CLIENT_ID = "henvisningsportalen";
export const CLIENT_SECRET = "a secret of the portal at the identity provider";

/** Who sits in front of the browser at the provider, and what they do there. */
export interface SomebodyThere {
  subject: string;
  claims?: Record<string, unknown>;
  amr?: string[];
  acr?: string;
  /** Presses 'Cancel' instead of signing in. */
  cancels?: boolean;
}

export interface IdentityProviderPeer {
  issuer: string;
  sits(somebody: SomebodyThere): void;
  /** Follows the provider's pages from an address of `begin` to the address that it sends the browser back to. */
  walk(address: string): Promise<string>;
  stop(): Promise<void>;
}

/** A certified provider (oidc-provider) whose people sign in by themselves. */
export async function startIdentityProvider(redirectUris: string[], port = 0): Promise<IdentityProviderPeer> {
  let there: SomebodyThere = { subject: "nobody" };
  const server: Server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, SomebodyThere>();
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris.map((uri) => new URL("/login", uri).href),
      },
    ],
    pkce: { required: () => true },
    acrValues: ["low", "substantial"],
    claims: {
      openid: ["sub", "acr", "amr"],
      profile: ["preferred_username", "given_name", "family_name", "groups", "nemlogin.cvr", "rid", "oid"],
      email: ["email", "email_verified"],
    },
    cookies: { keys: ["the key of the peer's cookies"] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_context: KoaContextWithOIDC, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject)?.claims }),
    }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: context.oidc.session!.accountId!,
      });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  const oidc = provider.callback();

  function handle(...[request, response]: Parameters<typeof oidc>) {
    if (!request.url?.startsWith("/interaction/")) return void oidc(request, response);
    people.set(there.subject, there);
    const { subject: accountId, amr, acr, cancels } = there;
    void provider.interactionFinished(
      request,
      response,
      cancels
        ? { error: "access_denied", error_description: "cancelled" }
        : { login: { accountId, remember: false, ...(amr && { amr }), ...(acr && { acr }) } },
    );
  }

  return {
    issuer,
    sits: (somebody) => void (there = somebody),
    async walk(address) {
      const cookies = new Map<string, string>();
      let at = address;
      while (at.startsWith(issuer)) {
        const answer = await fetch(at, {
          redirect: "manual",
          headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ") },
        });
        for (const line of answer.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          cookies.set(name!, value!);
        }
        const next = answer.headers.get("location");
        if (next === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
        at = new URL(next, at).href;
      }
      return at;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
