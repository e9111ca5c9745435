// @module-tag node
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecrets, newToken, tokenHash } from "./secrets.server";

const first = "den-foerste-hemmelighed-paa-over-32-tegn";
const second = "den-anden-hemmelighed-der-afloeser-den-foerste";
const secrets = createSecrets(first, null);

describe("encrypt and decrypt", () => {
  test("round-trip any text, for its own purpose and context only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, context) => {
        const sealed = secrets.encrypt("cpr", plain, context);
        expect(secrets.decrypt("cpr", sealed, context)).toBe(plain);
        expect(secrets.decrypt("draft", sealed, context)).toBeNull();
        expect(secrets.decrypt("cpr", sealed, `${context}x`)).toBeNull();
      }),
    );
  });

  test("the same text never encrypts to the same ciphertext twice", () => {
    expect(secrets.encrypt("cpr", "010180-1234")).not.toBe(secrets.encrypt("cpr", "010180-1234"));
  });

  test("a changed character is detected", () => {
    const sealed = secrets.encrypt("seal", "Åse Kjær", "form");
    for (let index = 0; index < sealed.length - 1; index += 1) {
      const other = sealed[index] === "A" ? "B" : "A";
      expect(secrets.decrypt("seal", sealed.slice(0, index) + other + sealed.slice(index + 1), "form")).toBeNull();
    }
  });

  test("text that was never encrypted decrypts to null and does not throw", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(secrets.decrypt("seal", text)).toBeNull();
        expect(secrets.decrypt("seal", `${secrets.encrypt("seal", "x").split(".")[0]}.${text}`)).toBeNull();
      }),
    );
  });
});

describe("a change of key", () => {
  const rotated = createSecrets(second, first);
  test("still decrypts ciphertexts of the previous key, and encrypts with the new one", () => {
    const old = secrets.encrypt("cpr", "010180-1234");
    expect(rotated.decrypt("cpr", old)).toBe("010180-1234");
    const renewed = rotated.encrypt("cpr", "010180-1234");
    expect(secrets.decrypt("cpr", renewed)).toBeNull();
    expect(renewed.split(".")[0]).toBe(createSecrets(second, null).encrypt("cpr", "").split(".")[0]);
    expect(renewed.split(".")[0]).not.toBe(old.split(".")[0]);
    expect(createSecrets(second, null).decrypt("cpr", old)).toBeNull();
  });

  test("hashes look-ups under both keys", () => {
    expect(rotated.lookups("cpr", "010180-1234")).toEqual([
      rotated.lookup("cpr", "010180-1234"),
      secrets.lookup("cpr", "010180-1234"),
    ]);
    expect(secrets.lookups("cpr", "010180-1234")).toEqual([secrets.lookup("cpr", "010180-1234")]);
  });
});

test("a look-up hash is keyed, differs by purpose and does not contain its text", () => {
  expect(secrets.lookup("cpr", "010180-1234")).toMatch(/^[0-9a-f]{64}$/);
  expect(secrets.lookup("cpr", "010180-1234")).toBe(createSecrets(first, null).lookup("cpr", "010180-1234"));
  expect(secrets.lookup("cpr", "010180-1234")).not.toBe(secrets.lookup("throttle", "010180-1234"));
  expect(secrets.lookup("cpr", "010180-1234")).not.toBe(createSecrets(second, null).lookup("cpr", "010180-1234"));
});

test("a token has 256 random bits and is stored as its SHA-256", () => {
  expect(Buffer.from(newToken(), "base64url")).toHaveLength(32);
  expect(newToken()).not.toBe(newToken());
  expect(tokenHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
