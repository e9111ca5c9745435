import * as client from "openid-client";
import { fetchOutside } from "../http/fetch-outside.server";
import {
  type ExternalIdentity,
  type IdentityProvider,
  type IdentityProviderSettings,
  SignInFailure,
  type SignInFault,
  type SignInRound,
} from "./port";

const ANSWER_WITHIN_SECONDS = 5;
const CLOCK_SKEW_SECONDS = 60;
const DISCOVERED_FOR_MS = 60 * 60_000;

/** Ways of proving oneself besides a password, as RFC 8176 names them. */
const OTHER_FACTORS = ["otp", "hwk", "swk", "sc", "sms", "fpt", "face", "tel"];

type Claims = Record<string, unknown>;

/**
 * OpenID Connect (OpenID Connect Core 1.0, RFC 7636 and RFC 9207). The provider's description is read once an hour; a key that
 * it does not name is asked for again, at most once a minute.
 */
export function createOpenIdProvider(settings: IdentityProviderSettings): IdentityProvider {
  let known: { until: number; provider: Promise<client.Configuration> } | null = null;

  function discovered(): Promise<client.Configuration> {
    if (known === null || known.until < Date.now()) {
      const provider = discover(settings);
      known = { until: Date.now() + DISCOVERED_FOR_MS, provider };
      // The next person tries again.
      provider.catch(() => (known = null));
    }
    return known.provider;
  }

  return {
    label: settings.label,
    async begin(returnAddress) {
      const provider = await discovered().catch((error: unknown) => fail(error, "unavailable"));
      const round = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const address = client.buildAuthorizationUrl(provider, {
        redirect_uri: returnAddress,
        scope: settings.scope,
        state: round.state,
        nonce: round.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(round.verifier),
        code_challenge_method: "S256",
        ...(settings.acrValues.length > 0 ? { acr_values: settings.acrValues.join(" ") } : {}),
      });
      return { address: address.href, round };
    },
    async finish(answer, round) {
      if (answer.searchParams.get("state") !== round.state) throw new SignInFailure("expired", "another state");
      const provider = await discovered().catch((error: unknown) => fail(error, "unavailable"));
      const claims = await claimsOf(provider, answer, round).catch((error: unknown) => fail(error, faultOf(error)));
      return identityOf(claims, settings);
    },
    async signOutAddress(returnAddress) {
      const provider = await discovered().catch(() => null);
      if (provider?.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: returnAddress }).href;
    },
  };
}

async function discover({ issuer, clientId, proof }: IdentityProviderSettings): Promise<client.Configuration> {
  const server = new URL(issuer);
  const provider = await client.discovery(
    server,
    clientId,
    { [client.clockTolerance]: CLOCK_SKEW_SECONDS },
    "secret" in proof
      ? client.ClientSecretBasic(proof.secret)
      : client.PrivateKeyJwt(await privateKeyOf(proof.privateKey)),
    {
      timeout: ANSWER_WITHIN_SECONDS,
      [client.customFetch]: (url, options) => fetchOutside(url, options as never) as never,
      execute: [
        client.enableNonRepudiationChecks,
        // The settings allow it on this machine only.
        ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  return provider;
}

/** Reads a PKCS #8 key as PEM; RSA keys sign with RS256, as every provider can check. */
async function privateKeyOf(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
  return crypto.subtle.importKey("pkcs8", der, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]);
}

async function claimsOf(provider: client.Configuration, answer: URL, round: SignInRound): Promise<Claims> {
  const tokens = await client.authorizationCodeGrant(provider, answer, {
    expectedState: round.state,
    expectedNonce: round.nonce,
    pkceCodeVerifier: round.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  if (provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
}

function identityOf(claims: Claims, { nameClaims, acrValues }: IdentityProviderSettings): ExternalIdentity {
  const amr = textsIn(claims.amr);
  if (acrValues.length > 0 && !acrValues.includes(String(claims.acr)))
    throw new SignInFailure("tooWeak", "another acr than asked for");
  const isEmail = nameClaims.join() === "email";
  const names = nameClaims.map((name) => textOf(claimOf(claims, name)));
  const isKnown = names.every((name) => name !== null) && (!isEmail || claims.email_verified === true);
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    name: isKnown ? names.join("+") : null,
    isEmail,
    hasSecondFactor: acrValues.length > 0 || amr.includes("mfa") || hasTwoFactors(amr),
    groups: textsIn(claims.groups),
    person: {
      firstName: textOf(claims.given_name),
      lastName: textOf(claims.family_name),
      email: claims.email_verified === true ? textOf(claims.email) : null,
    },
  };
}

const hasTwoFactors = (amr: string[]) =>
  (amr.includes("pwd") || amr.includes("pin")) && OTHER_FACTORS.some((factor) => amr.includes(factor));

/** A claim by its name, which may contain dots, or by its path. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, part) => (value as Claims | undefined)?.[part], claims);
}

const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);
const textsIn = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === "string") : []);

/** Why a provider refuses on its page or at its token endpoint, by OAuth's own codes. */
const faults: Record<string, SignInFault> = {
  access_denied: "cancelled",
  login_required: "cancelled",
  interaction_required: "cancelled",
  consent_required: "cancelled",
  invalid_grant: "expired",
  unmet_authentication_requirements: "tooWeak",
};

function faultOf(error: unknown): SignInFault {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return faults[error.error] ?? "unavailable";
  if (!(error instanceof client.ClientError)) return "unavailable";
  return error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_RESPONSE_IS_NOT_CONFORM" ? "unavailable" : "untrusted";
}

function fail(error: unknown, fault: SignInFault): never {
  if (error instanceof SignInFailure) throw error;
  const { code, message, error: named } = error as Error & { code?: string; error?: string };
  throw new SignInFailure(fault, [named, code, message].filter(Boolean).join(" · "), { cause: error });
}
