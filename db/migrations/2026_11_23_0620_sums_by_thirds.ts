import { type Kysely, sql } from "kysely";

/** Sums by thirds of a month besides those by day and by month, so that the ends of a period are few rows; made of the days that are there. */
export async function up(db: Kysely<any>) {
  await db.deleteFrom("statistics_sum").where("grain", "=", "T").execute();
  const keys = ["measure", "bucket", "referrer_id", "clinic_id", "treatment_type_id"] as const;
  const third = sql<string>`case when substr(start, 9) <= '10' then '01' when substr(start, 9) <= '20' then '11' else '21' end`;
  await db
    .insertInto("statistics_sum")
    .columns(["grain", "start", "n", ...keys])
    .expression((eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom("statistics_sum")
            .select([...keys, "n", sql<string>`concat(substr(start, 1, 8), ${third})`.as("third")])
            .where("grain", "=", "D")
            .as("days"),
        )
        .select(({ fn, val }) => [val("T").as("grain"), "third", fn.sum<number>("n").as("n"), ...keys])
        .groupBy(["third", ...keys]),
    )
    .execute();
}
