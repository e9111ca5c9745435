import path from "node:path";
import { pino, type Logger } from "pino";
import { type Db, openDatabase, type Tx } from "~db/connection.server";
import { migrate } from "~db/migrate.server";
import { type AuditTrail, createAuditTrail } from "./access/audit.server";
import { createKeeper, type Keeper } from "./access/keeper.server";
import { createSecrets, type Secrets } from "./access/secrets.server";
import type { Config } from "./config.server";
import { type OutboxWriter, outboxIn } from "./features/delivery/outbox-store.server";
import { createPreviews, type Previews } from "./features/images/preview.server";
import { chooseEmailGateway } from "./gateways/email/choose.server";
import type { EmailGateway } from "./gateways/email/port";
import { createFolderStore } from "./gateways/file-store/folder.server";
import type { FileStore } from "./gateways/file-store/port";
import { choosePersonRegister } from "./gateways/person-register/choose.server";
import type { PersonRegister } from "./gateways/person-register/port";
import { chooseVirusScanner } from "./gateways/virus-scanner/choose.server";
import type { VirusScanner } from "./gateways/virus-scanner/port";

export interface Clock {
  now(): Date;
}

/** Everything an operation may need, put together once a process: by `server.ts`, and by tests with a clock of their own. */
export interface Portal {
  config: Config;
  db: Db;
  clock: Clock;
  log: Logger;
  secrets: Secrets;
  audit: AuditTrail;
  files: FileStore;
  previews: Previews;
  scanner: VirusScanner;
  email: EmailGateway;
  kept: Keeper;
  personRegister: PersonRegister;
  outboxIn(tx: Tx): OutboxWriter;
  /** Finishes what waits and lets go of the database and the worker threads. */
  close(): Promise<void>;
}

/** Opens the database, brings it up to date and connects the gateways that the configuration names. */
export async function openPortal(config: Config, options: { clock?: Clock; previewWorker: string; logLevel?: string }): Promise<Portal> {
  const clock = options.clock ?? { now: () => new Date() };
  const log = pino({ level: options.logLevel ?? (config.production ? "info" : "warn"), base: null });
  const db = openDatabase(config);
  await migrate(db);
  const secrets = createSecrets(config.appSecret, config.appSecretPrevious);
  const audit = createAuditTrail(db, clock, (error) => log.error({ err: error }, "audit not written"));
  const previews = createPreviews({ workerPath: options.previewWorker, cacheDir: path.join(config.dataDir, "previews") });
  return {
    config,
    db,
    clock,
    log,
    secrets,
    audit,
    files: createFolderStore(path.join(config.dataDir, "files")),
    previews,
    scanner: chooseVirusScanner({ clamdUrl: config.clamdUrl, maxMegabytes: config.clamdMaxMegabytes }),
    personRegister: choosePersonRegister(config.personRegister),
    email: chooseEmailGateway(config),
    kept: createKeeper(),
    outboxIn: (tx) => outboxIn(tx, { secrets, clock }),
    async close() {
      await audit.flush();
      await previews.close();
      await db.destroy();
    },
  };
}
