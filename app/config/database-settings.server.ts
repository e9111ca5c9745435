import { z } from "zod";
import { optional, withDefault } from "./setting-fields.server";

export const databaseFields = {
  DATABASE_URL: withDefault(
    z.union([z.literal(""), z.string().regex(/^mysql:\/\//, "must be empty (SQLite) or mysql://…")]),
    "",
  ),
  DATABASE_SERVING_USER: optional(
    z
      .string()
      .regex(/^[\w.-]{1,80}(@[\w.:%-]{1,60})?$/, "must be a user of the database, such as portal or portal@10.0.0.%"),
  ),
  SQLITE_SYNC: withDefault(z.enum(["full", "normal"], "must be full or normal"), "full"),
};

export interface DatabaseSettings {
  databaseUrl: string;
  /** Whom `migrate` gives what serving needs, as `name` or `name@host`; null: nobody. */
  databaseServingUser: string | null;
  sqliteSync: "full" | "normal";
}

export const databaseOf = (e: z.output<z.ZodObject<typeof databaseFields>>): DatabaseSettings => ({
  databaseUrl: e.DATABASE_URL,
  databaseServingUser: e.DATABASE_SERVING_USER ?? null,
  sqliteSync: e.SQLITE_SYNC,
});
