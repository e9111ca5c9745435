import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

export type Purpose = "cpr" | "draft" | "outbox" | "edi" | "seal" | "ticket" | "secondFactor";
type LookupPurpose =
  "cpr" | "phone" | "throttle" | "audit" | "form" | "bounce" | "calendar" | "parking" | "series" | "instance" | "edi";

/**
 * Encryption at rest, seals and keyed look-ups. Keys are derived by HKDF, one for each purpose, from `APP_SECRET`; every
 * ciphertext carries the id of its key, so `APP_SECRET_PREVIOUS` still decrypts.
 */
export interface Secrets {
  /** The id of the present key, and of the one before it if there is one. */
  keyIds: string[];
  /** AES-256-GCM; answers `<keyId>.<base64url>`. `context` is authenticated but not stored. */
  encrypt(purpose: Purpose, plain: string, context?: string): string;
  /** Null when the text was made with another key, another context, or was tampered with. */
  decrypt(purpose: Purpose, sealed: string, context?: string): string | null;
  /** Keyed HMAC-SHA256, hex: equal inputs give equal hashes, and without the key they cannot be brute-forced. */
  lookup(purpose: LookupPurpose, plain: string): string;
  /** The look-up under the previous key too, for rows that `rotate-keys` has not reached. */
  lookups(purpose: LookupPurpose, plain: string): string[];
}

interface KeyRing {
  id: string;
  key(purpose: string): Buffer;
}

export function createSecrets(appSecret: string, previous: string | null): Secrets {
  const current = keyRing(appSecret);
  const rings = previous === null ? [current] : [current, keyRing(previous)];
  const hmac = (ring: KeyRing, purpose: string, plain: string) =>
    createHmac("sha256", ring.key(`lookup-${purpose}`))
      .update(plain)
      .digest("hex");
  return {
    keyIds: rings.map((ring) => ring.id),
    encrypt(purpose, plain, context = "") {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current.key(purpose), iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([iv, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${current.id}.${body.toString("base64url")}`;
    },
    decrypt(purpose, sealed, context = "") {
      const [id, text = ""] = sealed.split(".", 2);
      const ring = rings.find((candidate) => candidate.id === id);
      const body = Buffer.from(text, "base64url");
      if (!ring || body.length < 28) return null;
      try {
        const decipher = createDecipheriv("aes-256-gcm", ring.key(purpose), body.subarray(0, 12))
          .setAAD(Buffer.from(context))
          .setAuthTag(body.subarray(-16));
        return Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
    lookup: (purpose, plain) => hmac(current, purpose, plain),
    lookups: (purpose, plain) => rings.map((ring) => hmac(ring, purpose, plain)),
  };
}

function keyRing(secret: string): KeyRing {
  const keys = new Map<string, Buffer>();
  return {
    id: createHash("sha256").update(`key-id:${secret}`).digest("hex").slice(0, 8),
    key(purpose) {
      const known = keys.get(purpose);
      if (known) return known;
      const key = Buffer.from(hkdfSync("sha256", secret, "henvisningsportalen", purpose, 32));
      keys.set(purpose, key);
      return key;
    },
  };
}

/** Tables that have been renamed: what was encrypted under the first name still opens. */
const FIRST_TABLE_NAMES: Record<string, string> = { autosave: "typed_input" };

/** What a ciphertext of a column is bound to: the row that has this value in its identifying column. Nothing, where it has none yet. */
export function rowContext(table: string, column: string, identity: string | null): string {
  return identity === null ? "" : `${FIRST_TABLE_NAMES[table] ?? table}.${column}:${identity}`;
}

/** A random identity for a row. */
export const newRowKey = () => randomBytes(16).toString("hex");

/** A token of 256 random bits for a link or a cookie, or of fewer `bytes`; only its `tokenHash` is ever stored. */
export function newToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
