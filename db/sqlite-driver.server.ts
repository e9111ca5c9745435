import { mkdirSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import LibsqlDatabase from "libsql";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import { type Row, rowReader } from "./row-reader.server";

/**
 * When a commit is on the disk: before it is acknowledged (`full`), or at the next checkpoint (`normal`: a power cut
 * may lose the last seconds).
 */
export type SqliteSync = "full" | "normal";

export interface SqliteOptions {
  sync: SqliteSync;
  /** How long a write waits for another process that writes. */
  lockWaitMs: number;
  /** The file is of no use before it is closed: nothing is flushed, and a thousand transactions are committed as one. */
  isScratch?: boolean;
}

const RETRY_MS = 5;

/** Statements run on the portal's one thread; after this long the others get a turn, also within a transaction. */
const MAX_TURN_MS = 10;

/** A turn given away that lasted this long was needed by somebody. */
const NEEDED_MS = 1;

const BEGIN = "begin immediate";
const COMMIT = "commit";
const ROLLBACK = "rollback";

/**
 * Kysely's driver for a SQLite file. One connection writes; reads use a second one while a transaction is open, so that
 * only writes wait for it. A plain `begin` is deferred and fails with BUSY_SNAPSHOT at its first write when another
 * process has written meanwhile, so transactions begin `immediate`.
 */
export class SqliteFileDriver implements Driver {
  readonly #file: string;
  readonly #options: SqliteOptions;
  #writer: LibsqlConnection | undefined;
  #reader: LibsqlConnection | undefined;
  #written: Promise<void> | undefined;
  #endWrite: (() => void) | undefined;
  #turnBegan: number | undefined;

  constructor(file: string, options: SqliteOptions) {
    this.#file = file;
    this.#options = options;
  }

  async init() {
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    this.#writer = this.#options.isScratch
      ? new ScratchConnection(this.#file, this.#options)
      : new LibsqlConnection(this.#file, this.#options);
  }

  async acquireConnection(): Promise<SqliteSession> {
    return new SqliteSession(this);
  }

  get writer(): LibsqlConnection {
    return this.#writer!;
  }

  /** Returns a connection that reads committed rows only; of a scratch file, which one story writes, every row. */
  get reader(): LibsqlConnection {
    if (this.#written === undefined || this.#options.isScratch) return this.writer;
    return (this.#reader ??= new LibsqlConnection(this.#file, this.#options));
  }

  async lock(): Promise<void> {
    while (this.#written) await this.#written;
    this.#written = new Promise((resolve) => {
      this.#endWrite = resolve;
    });
  }

  unlock(): void {
    const end = this.#endWrite;
    this.#written = this.#endWrite = undefined;
    end?.();
  }

  async breathe(): Promise<void> {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = performance.now();
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
    } else if (performance.now() - this.#turnBegan > MAX_TURN_MS) await nextTurn();
  }

  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw(BEGIN));
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw(COMMIT));
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    try {
      await connection.executeQuery(CompiledQuery.raw(ROLLBACK));
    } catch (error) {
      // On a full disk SQLite has rolled back already; an error about that would hide the cause.
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection) {
    (connection as SqliteSession).release();
  }

  async destroy() {
    this.#writer?.close();
    this.#reader?.close();
  }
}

const isRead = ({ query, sql }: CompiledQuery) => SelectQueryNode.is(query) || /^\s*(select|explain)\b/i.test(sql);

/** A connection as Kysely sees it. It holds the writer from `begin` until Kysely releases it. */
class SqliteSession implements DatabaseConnection {
  readonly #driver: SqliteFileDriver;
  #isWriting = false;
  #workedMs = 0;

  constructor(driver: SqliteFileDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const driver = this.#driver;
    await driver.breathe();
    if (this.#isWriting) return this.#runInTransaction<R>(query);
    if (isRead(query)) return driver.reader.run<R>(query);
    await driver.lock();
    if (query.sql === BEGIN) {
      this.#isWriting = true;
      await driver.writer.begin();
      return { rows: [] };
    }
    try {
      return await driver.writer.runAlone<R>(query);
    } finally {
      driver.unlock();
    }
  }

  /** A page takes several turns, so a long transaction that somebody waits for rests as long as it has worked. */
  async #runInTransaction<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#workedMs > MAX_TURN_MS) {
      const waits = performance.now();
      await nextTurn();
      if (performance.now() - waits > NEEDED_MS) await sleep(this.#workedMs);
      this.#workedMs = 0;
    }
    const began = performance.now();
    try {
      return this.#driver.writer.run<R>(query);
    } finally {
      this.#workedMs += performance.now() - began;
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { writer, reader } = this.#driver;
    for (const row of (this.#isWriting ? writer : reader).iterate<R>(query)) yield { rows: [row] };
  }

  release(): void {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.#workedMs = 0;
    this.#driver.unlock();
  }
}

const MAX_PREPARED_STATEMENTS = 300;

type Statement = LibsqlDatabase.Statement<unknown[]>;

/** libsql is asked once whether a statement returns rows: the question costs as much as a short statement. */
interface Prepared {
  statement: Statement;
  rows: StatementRows | null;
}

/** The rows of a prepared statement. Its columns change when another process adds one to a table of `select *`. */
class StatementRows {
  readonly #statement: Statement;
  #columns: string[] = [];
  #read = rowReader([]);

  constructor(statement: Statement) {
    this.#statement = statement.raw(true);
  }

  all(bound: unknown[]): Row[] {
    const rows = this.#statement.all(bound) as unknown[][];
    if (rows.length > 0) this.#followColumns(rows[0]!);
    return rows.map(this.#read);
  }

  *iterate(bound: unknown[]): IterableIterator<Row> {
    for (const values of this.#statement.iterate(bound) as IterableIterator<unknown[]>) {
      this.#followColumns(values);
      yield this.#read(values);
    }
  }

  /** SQLite has prepared the statement anew by the time it returns a row. */
  #followColumns(values: unknown[]): void {
    if (values.length === this.#columns.length) return;
    this.#columns = this.#statement.columns().map(({ name }) => name);
    this.#read = rowReader(this.#columns);
  }
}

/** First words of statements that take SQLite's write lock. */
const WRITES = ["insert", "update", "delete", "replace", "create", "alter", "drop"];

/**
 * One connection to the file. libsql ends the whole process when a boolean is bound, so `bindable` sees every value, and when
 * a closed database is asked for its transaction.
 */
class LibsqlConnection {
  protected readonly database: LibsqlDatabase.Database;
  readonly #lockWaitMs: number;
  /** A page runs the same dozen statements every time, and preparing one costs as much as running it. */
  readonly #prepared = new Map<string, Prepared>();

  constructor(file: string, { sync, lockWaitMs, isScratch }: SqliteOptions) {
    this.#lockWaitMs = lockWaitMs;
    this.database = new LibsqlDatabase(file, { timeout: lockWaitMs });
    for (const pragma of [
      `journal_mode = ${isScratch ? "MEMORY" : "WAL"}`,
      `synchronous = ${isScratch ? "off" : sync}`,
      "foreign_keys = ON",
      `busy_timeout = ${lockWaitMs}`,
      "temp_store = MEMORY",
      "cache_size = -32000",
    ])
      this.database.exec(`PRAGMA ${pragma}`);
  }

  protected get isInTransaction(): boolean {
    return this.database.open && this.database.inTransaction;
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, rows } = this.#prepare(sql);
    const bound = parameters.map(bindable);
    if (rows) return { rows: rows.all(bound) as R[] };
    const { changes, lastInsertRowid } = statement.run(bound);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  async runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isWrite = WRITES.some((word) => query.sql.trimStart().toLowerCase().startsWith(word));
    if (!isWrite || this.isInTransaction) return this.run(query);
    // A prepared statement that finds the database locked stays begun in libsql, and later writes are never committed.
    await this.begin();
    try {
      const result = this.run<R>(query);
      this.database.exec(COMMIT);
      return result;
    } catch (error) {
      if (this.isInTransaction) this.database.exec(ROLLBACK);
      throw error;
    }
  }

  /** Takes the write lock. While another process has it, others' turns go on; SQLite itself would block the thread. */
  async begin(): Promise<void> {
    const until = performance.now() + this.#lockWaitMs;
    for (;;) {
      try {
        this.database.exec("pragma busy_timeout = 0");
        return void this.database.exec(BEGIN);
      } catch (error) {
        if ((error as { code?: string }).code !== "SQLITE_BUSY" || performance.now() > until) throw error;
      } finally {
        this.database.exec(`pragma busy_timeout = ${this.#lockWaitMs}`);
      }
      await sleep(RETRY_MS);
    }
  }

  iterate<R>({ sql, parameters }: CompiledQuery): IterableIterator<R> {
    const rows = new StatementRows(this.database.prepare(sql));
    return rows.iterate(parameters.map(bindable)) as IterableIterator<R>;
  }

  close(): void {
    this.database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    if (this.#prepared.size >= MAX_PREPARED_STATEMENTS) this.#prepared.clear();
    const statement = this.database.prepare(sql);
    const prepared = { statement, rows: statement.reader ? new StatementRows(statement) : null };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

const COMMITTED_AT_ONCE = 1000;

/** A connection to a scratch file. Its transactions are savepoints of a long one. */
class ScratchConnection extends LibsqlConnection {
  #ended = 0;

  override async begin(): Promise<void> {
    if (!this.isInTransaction) this.database.exec(BEGIN);
    this.database.exec("savepoint inner");
  }

  override run<R>(query: CompiledQuery): QueryResult<R> {
    if (query.sql !== COMMIT && query.sql !== ROLLBACK) return super.run(query);
    if (query.sql === ROLLBACK) this.database.exec("rollback to inner");
    this.database.exec("release inner");
    if ((this.#ended += 1) % COMMITTED_AT_ONCE === 0) this.database.exec(COMMIT);
    return { rows: [] };
  }

  override close(): void {
    if (this.isInTransaction) this.database.exec(COMMIT);
    super.close();
  }
}

function bindable(value: unknown): string | number | bigint | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("A number bound to a query must be finite");
    return value;
  }
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value);
  throw new TypeError(`A value of type ${typeof value} cannot be bound to a query`);
}
