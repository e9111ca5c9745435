import type { Generated, GeneratedAlways } from "kysely";
import type { ColumnsOf, ComputedOf, TableName } from "./tables";

/** UTC moment, ISO 8601 with milliseconds. */
type Moment = string;
/** 0 or 1 in the database, where neither kind has a boolean; rows are read with booleans (db/row-reader.server.ts). */
type Flag = boolean;

/** Columns whose words the code knows; the database does not check them. */
interface Words {
  password_request: { site: "staff" | "public" | "local" | "inside" };
  outbox: { outcome: "queued" | "awaiting" | "sent" | "failed" | "unknown" | "withdrawn" };
  statistics_sum: { grain: "D" | "T" | "M" };
  statistics_state: { name: "generation" | "nextReferral" | "silenceKnownFrom" | "urgencyCountsFrom" };
  merge_run: { kind: "user" | "clinic"; state: "moving" | "done" | "undoing" | "undone" };
  merge_moved: { outcome: "moved" | "back" | "left" };
}

type ValueOf<Type> = Type extends `moment${string}`
  ? Moment
  : Type extends `flag${string}`
    ? Flag
    : Type extends `varchar${string}` | `char${string}` | `text${string}` | `longText${string}` | `day${string}`
      ? string
      : number;

type WordOf<T, C> = T extends keyof Words ? (C extends keyof Words[T] ? Words[T][C] : never) : never;
type TypeOf<T, C, Type> = [WordOf<T, C>] extends [never] ? ValueOf<Type> : WordOf<T, C>;

type Stored<Type, Value> = Type extends "id" | `${string} default ${string}`
  ? Generated<Value>
  : Type extends `${string} not null`
    ? Value
    : Value | null;
type Computed<One> = One extends { type: infer Type }
  ? GeneratedAlways<ValueOf<Type> | (One extends { isNull: true } ? null : never)>
  : never;

/** `policeClaim` of `police_claim`. */
type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest> & string>}`
  : Name & string;

type TableOf<T extends TableName> = {
  [C in keyof ColumnsOf<T> as CamelCase<C>]: Stored<ColumnsOf<T>[C], TypeOf<T, C, ColumnsOf<T>[C]>>;
} & { [C in keyof ComputedOf<T> as CamelCase<C>]: Computed<ComputedOf<T>[C]> };

export type Database = { [T in TableName as CamelCase<T>]: TableOf<T> };
export type ReferralTable = Database["referral"];
