import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** The bytes of uploads under way, a stored file each: any process goes on with them. Two that continue at the same byte meet in the key. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("partial_upload_part")
    .addColumn("upload_id", "varchar(32)", (c) => c.notNull())
    .addColumn("start_byte", "bigint", (c) => c.notNull())
    .addColumn("size_bytes", "bigint", (c) => c.notNull())
    .addColumn("storage_key", "varchar(32)", (c) => c.notNull())
    .addColumn("sha256", "varchar(64)", (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("partial_upload_part_by_start", "partial_upload_part", ["upload_id", "start_byte"], { unique: true });
  await d.index("partial_upload_part_by_key", "partial_upload_part", ["storage_key"], { unique: true });
}
