import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/**
 * A self-signed certificate for localhost and 127.0.0.1, written by hand because Node creates keys and signatures but
 * no certificates.
 */
export function selfSigned(): { key: string; cert: string } {
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const length =
      body.length < 128
        ? [body.length]
        : body.length < 256
          ? [0x81, body.length]
          : [0x82, body.length >> 8, body.length & 255];
    return Buffer.concat([Buffer.from([tag, ...length]), body]);
  };
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(bytes("06082a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(bytes("0603550403"), der(0x0c, Buffer.from("localhost")))));
  const time = (year: number) => der(0x17, Buffer.from(`${String(year % 100).padStart(2, "0")}0101000000Z`));
  const extensions = sequence(
    sequence(bytes("0603551d13"), bytes("0101ff"), der(0x04, sequence(bytes("0101ff")))),
    sequence(
      bytes("0603551d11"),
      der(0x04, sequence(der(0x82, Buffer.from("localhost")), der(0x87, bytes("7f000001")))),
    ),
  );
  const serial = Buffer.concat([bytes("01"), randomBytes(8)]);
  const toBeSigned = sequence(
    der(0xa0, bytes("020102")),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(time(2020), time(2049)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", toBeSigned, privateKey));
  const base64 = sequence(toBeSigned, ecdsaWithSha256, signature)
    .toString("base64")
    .match(/.{1,64}/g)!
    .join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
