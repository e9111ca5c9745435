import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { type Db, openDatabase } from "~db/connection.server";
import { beforeCommit } from "~db/marked-rows.server";
import { isOfThisVersion, migrate, UnreleasedDatabaseError } from "~db/migrate.server";
import { createAuditTrail } from "./access/audit.server";
import { createDoorRefusals } from "./access/door-refusals.server";
import { findUnknownKeys, deleteUnusedKeys, recordKey } from "./access/encryption-key-store.server";
import { createCache } from "./cache/cache.server";
import { createSecrets, type Secrets } from "./access/secrets.server";
import { type Config, ConfigError } from "./config/config.server";
import { returnedMailJob } from "./features/delivery/returned-mail-job";
import { createBounceFolder } from "./gateways/email/bounce-folder.server";
import { outboxIn } from "./features/delivery/outbox-store.server";
import { createPageViews } from "./features/statistics/page-views.server";
import { withdrawOffers } from "~/features/freed-times/answer-offer.server";
import { sendCaseLink } from "./features/patient-links/case-link.server";
import { sendRadiographsAsPlanned } from "./features/patient-links/operations.server";
import { followNextDates } from "./features/referrals/status/next-dates.server";
import { followToldTimes } from "./features/referrals/status/told-times.server";
import { followChanges } from "./features/statistics/sums/rebuild-sums.server";
import { findPartSha256 } from "./files/staging/upload-part-store.server";
import { findSha256 } from "./files/stored-file-store.server";
import { createPreviews } from "./files/previews/preview.server";
import { createReaders } from "./files/reading/readers.server";
import {
  chooseEboksGateway,
  chooseEdiGateway,
  chooseEdiInbox,
  chooseEmailGateway,
  chooseFileStore,
  chooseImageArchive,
  choosePrintGateway,
  chooseSmsGateway,
  choosePersonRegister,
  chooseVehicleRegister,
  chooseVirusScanner,
} from "./gateways/choose.server";
import type { FileStore } from "./gateways/file-store/port";
import { createOpenIdProvider } from "./gateways/identity-provider/openid.server";
import { createOutbound } from "./gateways/nets-share/outbound.server";
import { kindHooks } from "./kind-hooks.server";
import { createLog } from "./log.server";
import type { Clock, Portal } from "./portal.server";
import { localDate } from "./text/dates";
import { createMetrics } from "./metrics.server";
import { configureDanishErrors } from "./text/fields.server";

/**
 * Opens the database, file store and gateways that the configuration names, and brings the database up to date unless
 * `isMigrated` says that it already is. Throws `ConfigError` for a wrong set-up.
 */
export async function openPortal(
  config: Config,
  options: {
    clock?: Clock;
    readerProgram: string;
    logLevel?: string;
    acceptUnknownKeys?: boolean;
    isMigrated?: boolean;
    /** Database and files are of no use before the portal is closed, so that neither is flushed. */
    isScratch?: boolean;
  },
): Promise<Portal> {
  configureDanishErrors();
  const clock = options.clock ?? { now: () => new Date() };
  const log = createLog(options.logLevel ?? (config.production ? "info" : "warn"));
  await makeDataFolder(config);
  const isScratch = options.isScratch ?? false;
  const db = openDatabase({ ...config, isScratch });
  beforeCommit(db, async (tx, marked, now = clock.now()) => {
    await followNextDates(tx, marked, localDate(now));
    await followToldTimes(tx, marked, now);
    await followChanges(tx, marked);
  });
  if (options.isMigrated) await refuseOtherVersion(db);
  else await bringUpToDate(db);
  const secrets = createSecrets(config.appSecret, config.appSecretPrevious);
  await checkKeys(db, secrets, clock, options.acceptUnknownKeys ?? false);
  const audit = createAuditTrail(db, secrets, clock, (error) => log.error({ err: error }, "audit not written"));
  const metrics = createMetrics();
  const doorRefusals = createDoorRefusals({
    refused: (kind) => metrics.refusedAtDoor.inc({ kind }),
    tell: (line) => log.warn(line, "refused at the door"),
  });
  const files = await openFileStore(config, db, log, isScratch);
  const readers = createReaders({ programPath: options.readerProgram });
  const previews = createPreviews({ readers, cacheDir: path.join(config.dataDir, "previews"), files });
  const pageViews = createPageViews(db, clock, (error) => log.error({ err: error }, "page views not written"));
  return {
    config,
    db,
    clock,
    log,
    secrets,
    audit,
    doorRefusals,
    files,
    readers,
    previews,
    scanner: chooseVirusScanner({ clamdUrl: config.clamdUrl, maxMegabytes: config.clamdMaxMegabytes }),
    personRegister: choosePersonRegister(config.personRegister),
    vehicleRegister: chooseVehicleRegister(config),
    identityProviders: {
      staff: config.signIn.staff && createOpenIdProvider(config.signIn.staff),
      referrers: config.signIn.referrers && createOpenIdProvider(config.signIn.referrers),
    },
    demo: null,
    email: chooseEmailGateway(config),
    sms: chooseSmsGateway(config),
    eboks: chooseEboksGateway(config),
    print: choosePrintGateway(config),
    edi: chooseEdiGateway(config),
    imageArchive: await chooseImageArchive(config),
    ediInbox: chooseEdiInbox(config),
    letterReports: config.netsShare === null ? null : createOutbound(config.netsShare),
    bounces:
      config.bounces === null
        ? null
        : createBounceFolder(config.bounces.folder, (sourcePath) =>
            readers.read(returnedMailJob, { sourcePath }, "mails"),
          ),
    kindHooks,
    referralHooks: { sendRadiographs: sendRadiographsAsPlanned, sendCaseLink, withdrawOffers },
    metrics,
    cache: createCache({ db, clock }),
    pageViews,
    outboxIn: (tx) => outboxIn(tx, { secrets, clock, kindHooks, config }),
    async close() {
      doorRefusals.flush();
      await audit.flush();
      await pageViews.flush();
      await readers.close();
      await files.close();
      await db.destroy();
    },
  };
}

async function makeDataFolder({ dataDir }: Config): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`DATA_DIR: cannot be made: ${(error as Error).message}`);
  }
}

async function bringUpToDate(db: Db): Promise<void> {
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error instanceof UnreleasedDatabaseError ? new ConfigError(error.message) : error;
  }
}

async function refuseOtherVersion(db: Db): Promise<void> {
  if (await isOfThisVersion(db)) return;
  await db.destroy();
  throw new ConfigError("The database has another version than this program, or is empty: use the one that runs on it");
}

/** Opens the file store. Throws `ConfigError` for a wrong set-up; a store that is only down is waited for. */
async function openFileStore(config: Config, db: Db, log: Logger, isScratch: boolean): Promise<FileStore> {
  const files = await chooseFileStore(config.fileStore, {
    isScratch,
    localFolder: config.dataDir,
    findSha256: async (key) => (await findSha256(db, key)) ?? findPartSha256(db, key),
  });
  const found = await files.findSetupError();
  if (found === null) return files;
  if ("away" in found) {
    log.error({ err: found.away }, "file store not reached");
    return files;
  }
  await files.close();
  await db.destroy();
  throw new ConfigError(found.setupError);
}

/** With another secret CPR numbers would be unreadable, and new ones unreadable to other processes. */
async function checkKeys(db: Db, secrets: Secrets, clock: Clock, acceptUnknown: boolean): Promise<void> {
  const unknown = acceptUnknown ? [] : await deleteUnusedKeys(db, await findUnknownKeys(db, secrets));
  if (unknown.length > 0) {
    await db.destroy();
    throw new ConfigError(
      `APP_SECRET: the database holds text that was encrypted with another secret (key ${unknown.join(", ")}; this one is ${secrets.keyIds[0]}). Set that secret, or name it in APP_SECRET_PREVIOUS. If it is lost for good: node build/server.js rotate-keys --give-up-unreadable`,
    );
  }
  await recordKey(db, secrets, clock.now());
}
