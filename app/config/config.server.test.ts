import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { errorsOf, production } from "../../tests/support/config-errors";
import { loadConfig } from "./config.server";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("an empty environment configures a development portal on the local machine", () => {
  expect(loadConfig({ DATA_DIR: folder })).toMatchObject({
    production: false,
    port: 3000,
    host: "127.0.0.1",
    databaseUrl: "",
    adminOrigin: "http://localhost:3000",
    publicOrigin: "http://localhost:3000",
    smtpUrl: null,
    trustedProxies: [],
    runWorker: true,
    appSecretPrevious: null,
  });
});

test("METRICS_PORT listens on this machine unless METRICS_HOST says otherwise", () => {
  const observation = (env: Record<string, string>) => loadConfig({ DATA_DIR: folder, ...env }).observation;
  expect(observation({})).toBeNull();
  expect(observation({ METRICS_PORT: "9464" })).toEqual({ port: 9464, host: "127.0.0.1" });
  expect(observation({ METRICS_PORT: "9464", METRICS_HOST: "10.0.0.7" })).toEqual({ port: 9464, host: "10.0.0.7" });
  expect(errorsOf({ DATA_DIR: folder, METRICS_PORT: "3000" })).toEqual([
    "METRICS_PORT: must be another port than PORT",
  ]);
});

describe("FILE_STORE", () => {
  test("is a folder of DATA_DIR, another folder, or a bucket", () => {
    expect(loadConfig({ DATA_DIR: folder }).fileStore).toEqual({ folder: path.join(folder, "files") });
    expect(loadConfig({ DATA_DIR: folder, FILE_STORE: "/mnt/shared" }).fileStore).toEqual({ folder: "/mnt/shared" });
    const keys = { FILE_STORE_KEY: "key", FILE_STORE_SECRET: "s/e+cret" };
    expect(loadConfig({ DATA_DIR: folder, FILE_STORE: "s3://klinik-filer", ...keys }).fileStore).toEqual({
      bucket: "klinik-filer",
      prefix: "",
      region: "us-east-1",
      endpoint: null,
      encryption: "AES256",
      kmsKey: null,
      credentials: { accessKeyId: "key", secretAccessKey: "s/e+cret" },
    });
    const FILE_STORE =
      "s3://klinik-filer/portal?region=eu-north-1&endpoint=https://s3.eksempel.dk&encryption=aws:kms&kmsKey=alias/portal";
    expect(loadConfig({ DATA_DIR: folder, FILE_STORE }).fileStore).toEqual({
      bucket: "klinik-filer",
      prefix: "portal/",
      region: "eu-north-1",
      endpoint: "https://s3.eksempel.dk",
      encryption: "aws:kms",
      kmsKey: "alias/portal",
      credentials: null,
    });
  });

  test.each([
    [{ FILE_STORE: "files" }, /^FILE_STORE: must be empty/],
    [{ FILE_STORE: "s3://Klinik" }, /^FILE_STORE: must be empty/],
    [{ FILE_STORE: "s3://key:secret@klinik" }, /^FILE_STORE: must be empty/],
    [{ FILE_STORE: "s3://klinik?regoin=eu" }, /^FILE_STORE: must be empty/],
    [{ FILE_STORE: "s3://klinik?encryption=rot13" }, /^FILE_STORE: must be empty/],
    [{ FILE_STORE: "s3://klinik?kmsKey=x" }, /^FILE_STORE: must be empty/],
    [{ FILE_STORE: "s3://klinik", FILE_STORE_KEY: "key" }, /^FILE_STORE_SECRET: is required with FILE_STORE_KEY$/],
    [{ TLS_CERT_FILE: import.meta.filename }, /^TLS_KEY_FILE: is required with TLS_CERT_FILE$/],
    [{ TLS_KEY_FILE: import.meta.filename }, /^TLS_CERT_FILE: is required with TLS_KEY_FILE$/],
    [
      { TLS_CERT_FILE: "/findes-ikke", TLS_KEY_FILE: import.meta.filename },
      /^TLS_CERT_FILE: must name a file that can be read$/,
    ],
    [{ DATABASE_SERVING_USER: "portal'@'%" }, /^DATABASE_SERVING_USER: must be a user of the database/],
  ])("%j is refused", (env, error) => {
    expect(errorsOf({ DATA_DIR: folder, ...env })).toEqual([expect.stringMatching(error)]);
  });

  test("its endpoint is reached by TLS in production, unless it is on this machine", () => {
    const errors = (endpoint: string) => errorsOf({ ...production, FILE_STORE: `s3://klinik?endpoint=${endpoint}` });
    expect(errors("http://s3.eksempel.dk")).toEqual([
      "FILE_STORE: the endpoint must begin with https:// in production",
    ]);
    expect(errors("http://127.0.0.1:8080")).toEqual([]);
  });
});

test("treats blank values as absent", () => {
  const config = loadConfig({
    DATA_DIR: folder,
    PORT: " ",
    SMTP_URL: "",
    CLINIC_LOGO: "",
    APP_SECRET: " ",
    ADMIN_ORIGIN: "",
  });
  expect(config).toMatchObject({ port: 3000, smtpUrl: null, clinicLogo: null, adminOrigin: "http://localhost:3000" });
});

test("reports every configuration error at once", () => {
  const wrong = {
    NODE_ENV: "test",
    PORT: "70000",
    DATABASE_URL: "postgres://x",
    APP_SECRET: "short",
    APP_SECRET_PREVIOUS: "short",
    ADMIN_ORIGIN: "https://klinik.eksempel.dk/path",
    PUBLIC_ORIGIN: "www.eksempel.dk",
    ADMIN_IP_ALLOW: "10.0.0.0/8, 300.1.1.1",
    PARKING_IP_ALLOW: "10.0.0.0/40",
    TRUSTED_PROXIES: "loopback",
    SMTP_URL: "http://mail",
    MAIL_FROM: "nobody",
    SMS_URL: "messaging.gatewayapi.eu",
    SMS_TOKEN: "two words",
    SMS_SENDER: "Tandkirurgerne",
    SMS_WEBHOOK_SECRET: "short",
    METRICS_PORT: "70000",
    METRICS_TOKEN: "short",
    MOTORAPI_TOKEN: "two words",
    MOTORAPI_URL: "v1.motorapi.dk",
    CLINIC_LOGO: "/nowhere/logo.png",
    SUPPORT_EMAIL: "x",
    REGISTER_URL: "x",
    PATIENT_LINK_DAYS: "0",
    FILE_PURGE_DAYS: "soon",
    WORKER: "maybe",
    CPR_URL: "tls://cpr",
    CPR_CUSTOMER: "12",
    CPR_USER: "much-too-long",
    CLAMD_MAX_MB: "x",
  };
  expect(errorsOf({ PORT: "x", WORKER: "maybe" })).toEqual([
    "PORT: must be a whole number from 0 to 65535",
    "WORKER: must be on or off",
  ]);
  expect(errorsOf({ SMS_WEBHOOK_SECRET: "k3JxV9wQzT7bLm2NpR5sYc8dFg4hAe6u" })).toEqual([
    "SMS_TOKEN: is required with SMS_WEBHOOK_SECRET",
  ]);
  const named = new Set(errorsOf(wrong).map((line) => line.split(/[:.]/)[0]));
  expect([...named].sort()).toEqual(
    Object.keys(wrong)
      .filter((name) => name !== "NODE_ENV")
      .concat("CPR_PASSWORD")
      .sort(),
  );
});

describe("mail that comes back", () => {
  const bounces = () => ({ DATA_DIR: folder, BOUNCE_ADDRESS: "retur@eksempel.dk", BOUNCE_DIR: folder });

  test("is read from a folder where both are set", () => {
    expect(loadConfig(bounces()).bounces).toEqual({ address: "retur@eksempel.dk", folder });
    expect(loadConfig({ DATA_DIR: folder }).bounces).toBeNull();
  });

  test.each([
    [{ BOUNCE_DIR: "" }, "BOUNCE_DIR: is required with BOUNCE_ADDRESS"],
    [{ BOUNCE_ADDRESS: "" }, "BOUNCE_ADDRESS: is required with BOUNCE_DIR"],
    [{ BOUNCE_ADDRESS: "retur+a@eksempel.dk" }, "BOUNCE_ADDRESS: must be an address without a +"],
    [{ BOUNCE_DIR: import.meta.filename }, "BOUNCE_DIR: must name a folder"],
  ])("refuses %j", (changes, error) => {
    expect(errorsOf({ ...bounces(), ...changes })[0]).toContain(error);
  });
});

describe("letters by SFTP", () => {
  const letters = {
    NETS_SHARE_URL: "sftp://klinik%40dk@sftp.eksempel.dk/klinik/",
    NETS_SHARE_KEY_FILE: import.meta.filename,
    NETS_SHARE_HOST_KEY: `SHA256:${"a".repeat(43)}`,
    NETS_SHARE_CVR: "12345678",
    NETS_SHARE_EBOKS_ID: "15723",
    NETS_SHARE_EBOKS_DOCUMENT_TYPE: "163057",
  };
  const settings = () => ({ DATA_DIR: folder, ...letters });

  test("reads user, port and folder from the address, and print where it is set", () => {
    expect(loadConfig(settings()).netsShare).toEqual({
      host: "sftp.eksempel.dk",
      port: 22,
      user: "klinik@dk",
      folder: "/klinik",
      keyFile: import.meta.filename,
      keyPassphrase: null,
      hostKey: letters.NETS_SHARE_HOST_KEY,
      cvr: "12345678",
      senderName: "Kæbekirurgisk Klinik",
      eboks: { senderId: "15723", documentType: "163057" },
      print: null,
    });
    const print = {
      NETS_SHARE_PRINT_DOCUMENT_TYPE: "163058",
      NETS_SHARE_RETURN_ADDRESS: "Klinikken; Åvej 1 ;8000 Aarhus C",
    };
    const url = { NETS_SHARE_URL: "sftp://klinik@sftp.eksempel.dk:2222" };
    expect(loadConfig({ ...settings(), ...print, ...url }).netsShare).toMatchObject({
      port: 2222,
      folder: "",
      print: { documentType: "163058", returnAddress: ["Klinikken", "Åvej 1", "8000 Aarhus C"] },
    });
    expect(loadConfig({ DATA_DIR: folder }).netsShare).toBeNull();
  });

  test.each([
    [{ NETS_SHARE_URL: "" }, "NETS_SHARE_URL: is required with the other NETS_SHARE_ settings"],
    [{ NETS_SHARE_URL: "https://sftp.eksempel.dk" }, "NETS_SHARE_URL: must be sftp://user@host"],
    [{ NETS_SHARE_URL: "sftp://sftp.eksempel.dk" }, "NETS_SHARE_URL: must name the user"],
    [{ NETS_SHARE_HOST_KEY: "" }, "NETS_SHARE_HOST_KEY: is required with NETS_SHARE_URL"],
    [{ NETS_SHARE_HOST_KEY: "MD5:00" }, "NETS_SHARE_HOST_KEY: must be a fingerprint"],
    [{ NETS_SHARE_KEY_FILE: "/nowhere" }, "NETS_SHARE_KEY_FILE: must name a file that can be read"],
    [{ NETS_SHARE_EBOKS_ID: "" }, "NETS_SHARE_EBOKS_ID: is required with NETS_SHARE_EBOKS_DOCUMENT_TYPE"],
    [
      { NETS_SHARE_PRINT_DOCUMENT_TYPE: "1" },
      "NETS_SHARE_RETURN_ADDRESS: is required with NETS_SHARE_PRINT_DOCUMENT_TYPE",
    ],
    [
      { NETS_SHARE_EBOKS_ID: "", NETS_SHARE_EBOKS_DOCUMENT_TYPE: "" },
      "NETS_SHARE_EBOKS_ID: is required with NETS_SHARE_URL",
    ],
  ])("refuses %j", (changes, error) => {
    expect(errorsOf({ ...settings(), ...changes })[0]).toContain(error);
  });
});
test("accepts a trailing slash after an origin", () => {
  expect(loadConfig({ ...production, ADMIN_ORIGIN: "https://klinik.eksempel.dk/" }).adminOrigin).toBe(
    "https://klinik.eksempel.dk",
  );
});

test("outside production, generates the secret once, readable by its owner only", () => {
  const first = loadConfig({ DATA_DIR: folder });
  expect(first.appSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(loadConfig({ DATA_DIR: folder }).appSecret).toBe(first.appSecret);
  expect(statSync(path.join(folder, "app-secret")).mode & 0o777).toBe(0o600);
});

test("generates no secret beside another secret's database, and reads no cut-off file", () => {
  writeFileSync(path.join(folder, "portal.db"), "");
  expect(errorsOf({ DATA_DIR: folder })).toEqual([
    expect.stringMatching(/^APP_SECRET: is needed: .* holds a database/),
  ]);
  expect(() => readFileSync(path.join(folder, "app-secret"))).toThrow("ENOENT");
  writeFileSync(path.join(folder, "app-secret"), "");
  expect(errorsOf({ DATA_DIR: folder })).toEqual([expect.stringMatching(/^APP_SECRET: .* holds no whole secret$/)]);
});
