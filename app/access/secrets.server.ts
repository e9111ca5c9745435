import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { databaseName } from "~db/names.server";

export type Purpose = "cpr" | "draft" | "outbox" | "edi" | "seal" | "ticket" | "secondFactor";
type LookupPurpose =
  "cpr" | "phone" | "throttle" | "audit" | "form" | "bounce" | "calendar" | "parking" | "series" | "instance" | "edi";

/**
 * Encryption at rest, seals and keyed look-ups. HKDF derives one key per purpose from `APP_SECRET`; every ciphertext
 * carries its key's id, so `APP_SECRET_PREVIOUS` still decrypts.
 */
export interface Secrets {
  keyIds: string[];
  /** AES-256-GCM; returns `<keyId>.<base64url>`. `context` is authenticated but not stored. */
  encrypt(purpose: Purpose, plain: string, context?: string): string;
  /** Null if another key or context was used, or the text was tampered with. */
  decrypt(purpose: Purpose, sealed: string, context?: string): string | null;
  /** Keyed HMAC-SHA256, hex: equal inputs give equal hashes, and without the key they cannot be brute-forced. */
  lookup(purpose: LookupPurpose, plain: string): string;
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

/** Former names of renamed tables: ciphertexts are bound to the first name. */
const FIRST_TABLE_NAMES: Record<string, string> = { autosave: "typed_input" };

/**
 * The context of a column's ciphertext: the row with this identity. Empty while the row has none. Table and column are
 * named as in code; the context keeps the database's names, to which stored ciphertexts are bound.
 */
export function rowContext(table: string, column: string, identity: string | null): string {
  if (identity === null) return "";
  return `${FIRST_TABLE_NAMES[table] ?? databaseName(table)}.${databaseName(column)}:${identity}`;
}

export const newRowKey = () => randomBytes(16).toString("hex");

/** A random token for a link or cookie, 256 bits by default. Only its `tokenHash` is stored. */
export function newToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
